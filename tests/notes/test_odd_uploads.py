"""A hundred odd files through every door: none is a server's error, none is stored wrongly."""

import os
import pickle
import resource
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.test import TestCase
from django.urls import reverse
from PIL import Image as Pillow

from notes import images
from notes.images import ImageRefused, is_clean
from notes.models import Figure
from notesite.content.report import Outcome
from notesite.models import Site
from tests.factories import make_author
from tests.notes.image_files import SECRET, huge_png
from tests.notes.odd_files import NAMES, POLYGLOT, REFUSED, TAKEN, TALKATIVE, TURNED
from tests.notesite.content.imports import imported

LEFT_OVER = (SECRET, b"acsp", b"<script", b"alert(1)", b"<?php", b"evil.example", b"javascript:")


def stored_files() -> set[Path]:
    return {path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()}


def assert_stored_rightly(figure: Figure) -> None:
    """Its files have the types of their names, and hold nothing but a picture."""
    assert figure.name == figure.name.strip(".") and "/" not in figure.name
    assert len(figure.name.encode()) <= 255
    for path in figure.files:
        data = (Path(settings.MEDIA_ROOT) / path).read_bytes()
        assert is_clean(data), path
        for left in LEFT_OVER:
            assert left not in data, (path, left)
        if not path.endswith(".svg"):
            with Pillow.open(Path(settings.MEDIA_ROOT) / path) as image:
                assert images.EXTENSIONS[image.format or ""] == path.rpartition(".")[2]
                assert not image.getexif()


def test_there_are_more_than_a_hundred():
    assert len(TAKEN) + len(REFUSED) > 120
    assert len(REFUSED) >= 50


@pytest.mark.parametrize("what", TALKATIVE)
def test_those_that_tell_something_do_so_before(what):
    assert not is_clean(TALKATIVE[what][1])


class UploadTests(TestCase):
    def setUp(self):
        Site().save()
        self.client.force_login(make_author())
        self.client.raise_request_exception = False

    def test_what_is_a_picture_is_stored_clean_by_the_editor(self):
        for what, (name, data) in TAKEN.items():
            with self.subTest(what):
                response = self.upload(name, data)
                assert response.status_code == 200, response.content
                answer = response.json()
                figure = Figure.objects.get(name=answer["name"])
                assert answer["image_code"] == f"![](figures/{figure.name})"
                figure.full_clean()
                assert_stored_rightly(figure)
                if what in TURNED:
                    turned = int(what.split()[1]) in (5, 6, 7, 8)
                    assert (figure.width > figure.height) == turned

    def test_what_is_none_leaves_nothing_behind_at_the_editor(self):
        before = stored_files()
        for what, (name, data) in REFUSED.items():
            with self.subTest(what):
                response = self.upload(name, data)
                assert response.status_code in (400, 413, 415), response.status_code
                assert set(response.json()) == {"error"}
                assert len(response.json()["error"]) > 20
        assert not Figure.objects.exists()
        assert stored_files() == before

    def test_the_admin_s_form_takes_and_refuses_the_same(self):
        before = stored_files()
        for what, (name, data) in REFUSED.items():
            with self.subTest(what):
                response = self.add(name, data)
                assert response.status_code == 200, response.status_code
                assert response.context["adminform"].form.errors or response.context["errors"]
        assert not Figure.objects.exists()
        assert stored_files() == before
        for what, (name, data) in (NAMES | POLYGLOT | TALKATIVE).items():
            with self.subTest(what):
                assert self.add(name, data).status_code == 302
                assert_stored_rightly(Figure.objects.latest("pk"))

    def test_an_import_refuses_each_by_its_name_and_takes_the_rest(self):
        files = {
            f"figures/n{number}{os.path.splitext(name)[1] or '.png'}": data
            for number, (name, data) in enumerate([*REFUSED.values(), *TALKATIVE.values()])
        }
        before = stored_files()
        report = imported(files | {"notes/a.md": "---\ntitle: A\n---\n\nA text.\n"})
        assert report.exit_code == 1
        refused = {entry.file for entry in report.of(Outcome.REFUSED)}
        assert set(list(files)[: len(REFUSED)]) <= refused
        taken = Figure.objects.all()
        assert {f"figures/{figure.name}" for figure in taken} == files.keys() - refused
        assert len(taken) == len(TALKATIVE)
        for figure in taken:
            assert_stored_rightly(figure)
        kept = {Path(settings.MEDIA_ROOT) / path for figure in taken for path in figure.files}
        assert stored_files() - before <= kept

    def upload(self, name: str, data: bytes):
        return self.post(reverse("markdownx_upload"), "image", name, data)

    def add(self, name: str, data: bytes):
        return self.post(reverse("admin:notes_figure_add"), "file", name, data)

    def post(self, address: str, field: str, name: str, data: bytes):
        """As any program may send it; Django's client would leave out the folders of a name."""
        name = name.replace('"', "%22").replace("\n", "%0A")
        head = f'Content-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
        texts = "".join(
            f'--x-y-z\r\nContent-Disposition: form-data; name="{one}"\r\n\r\n\r\n'
            for one in ("name", "alt", "caption", "credit")
        )
        body = f"{texts}--x-y-z\r\n{head}Content-Type: image/png\r\n\r\n".encode()
        return self.client.generic(
            "POST",
            address,
            body + data + b"\r\n--x-y-z--\r\n",
            content_type="multipart/form-data; boundary=x-y-z",
        )


@pytest.mark.parametrize("what", REFUSED)
def test_a_refusal_takes_little_time_and_memory(what):
    _name, data = REFUSED[what]
    outcome, seconds, kilobytes = in_a_process_of_its_own(data)
    assert outcome == "refused"
    assert seconds < 0.5
    assert kilobytes < 150 * 1024


def test_what_is_large_would_be_noticed():
    outcome, seconds, kilobytes = in_a_process_of_its_own(huge_png(6000, 6000))
    assert outcome == "taken"
    assert seconds > 0.05
    assert kilobytes > 30 * 1024


def in_a_process_of_its_own(data: bytes) -> tuple[str, float, int]:
    """What became of a file, the processor's time, and what memory it took beside what is there."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, pickle.dumps(measured(data)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(told)  # noqa: S301 - our own child's words


def measured(data: bytes) -> tuple[str, float, int]:
    before = resource.getrusage(resource.RUSAGE_SELF)
    began = time.process_time()
    try:
        images.prepare(data)
        outcome = "taken"
    except ImageRefused:
        outcome = "refused"
    except BaseException as error:  # whatever it is, it belongs into the message
        outcome = repr(error)
    seconds = time.process_time() - began
    after = resource.getrusage(resource.RUSAGE_SELF)
    return outcome, seconds, after.ru_maxrss - before.ru_maxrss
