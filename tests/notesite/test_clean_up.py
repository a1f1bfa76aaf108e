import os
import time
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from notes.models import Figure, Note
from notes.publishing import add_figure, replace_figure
from notesite.models import Redirect, SignInLink
from notesite.sign_in import make_link
from tests.factories import make_note
from tests.notes.image_files import encode, photo

pytestmark = pytest.mark.django_db


def clean_up():
    out = StringIO()
    call_command("clean_up", stdout=out)
    return out.getvalue().strip()


def test_deletes_what_is_over_and_says_so_and_then_finds_nothing(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    now = timezone.now()
    make_note(slug="old", trashed_at=now - timedelta(days=31))
    make_note(slug="fresh", trashed_at=now - timedelta(days=29))
    for days in (-1, 1):
        key = f"session-{days}"
        Session.objects.create(session_key=key, expire_date=now + timedelta(days=days))
    make_link(get_user_model().objects.create_user("ada"))
    SignInLink.objects.update(expires_at=now - timedelta(minutes=1))
    for name, age in (("old", 2), ("fresh", 0)):
        (tmp_path / f".new-{name}").touch()
        (tmp_path / f"{name}.png").touch()
        os.utime(tmp_path / f".new-{name}", times=(time.time() - age * 86400,) * 2)

    assert clean_up() == "Deleted 1 note, 1 session, 1 sign-in link, 1 file."
    assert list(Note.objects.values_list("slug", flat=True)) == ["fresh"]
    assert Redirect.objects.filter(slug="old", target="").exists()
    assert Session.objects.get().session_key == "session-1"
    assert sorted(os.listdir(tmp_path)) == [".new-fresh", "fresh.png", "old.png"]
    assert clean_up() == "Nothing to delete."


def test_renders_what_an_older_renderer_wrote():
    note = make_note(source="Let *a* be given.")
    Note.objects.filter(pk=note.pk).update(html="<p>old</p>", renderer_version=0)
    out = StringIO()
    call_command("rerender", stdout=out)
    note.refresh_from_db()
    assert "<em>a</em>" in note.html
    assert out.getvalue() == "Rendered 1 note and 0 paths.\n"


def test_keeps_the_files_that_a_text_or_a_figure_shows_and_deletes_the_others(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    figure = add_figure(encode(photo(), "JPEG"), name="plot.jpg")
    make_note(source="![A plot](figures/plot.jpg)\n")
    shown_in_a_state = set(figure.files)
    replace_figure(figure, encode(photo((1000, 701)), "JPEG"))
    never_shown = set(figure.files)
    replace_figure(figure, encode(photo((1000, 702)), "JPEG"))
    assert min(len(shown_in_a_state), len(never_shown)) > 2
    young = tmp_path / "figures" / f"{'a' * 32}-640.webp"
    stranger = tmp_path / "figures" / "README.txt"
    for path in tmp_path.rglob("*.*"):
        os.utime(path, times=(time.time() - 2 * 86400,) * 2)
    stranger.touch()
    os.utime(stranger, times=(0, 0))
    young.touch()

    assert clean_up() == f"Deleted {len(never_shown)} files."
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")}
    expected = shown_in_a_state | set(Figure.objects.get().files)
    assert left == expected | {f"figures/{young.name}", f"figures/{stranger.name}"}
    assert clean_up() == "Nothing to delete."
