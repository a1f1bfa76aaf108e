from pathlib import Path

from bs4 import BeautifulSoup
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, TestCase
from django.urls import reverse

from notes.models import Figure, Note
from notesite.models import Site
from tests.factories import make_author, make_note
from tests.notes.drawings import HOSTILE
from tests.notes.image_files import animation, encode, gradient, huge_png

SOURCE = """\
## The problem

Let $a_1 \\le b$ be *given*[^1], see ![A plot](figures/plot.png "What it shows").

[^1]: A footnote.
"""


def uploaded(data: bytes, name: str = "image.png", kind: str = "image/png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data, kind)


def stored_files() -> set[str]:
    return {path.name for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()}


class EndpointTests(TestCase):
    """Both addresses: authors only, by POST only, with a token only."""

    addresses = ("markdownx_markdownify", "markdownx_upload")

    def test_say_no_to_strangers_and_readers_in_a_sentence(self):
        for client in (self.client, self.signed_in(is_staff=False), self.without_permission()):
            for name in self.addresses:
                response = client.post(reverse(name), {"content": "x"})
                assert response.status_code == 403
                assert "Sign in again" in response.content.decode()

    def test_answer_nothing_but_post(self):
        client = self.signed_in()
        for name in self.addresses:
            response = client.get(reverse(name), {"content": "x"})
            assert response.status_code == 405
            assert response["Allow"] == "POST"

    def test_ask_for_the_token_against_forgery(self):
        client = Client(enforce_csrf_checks=True)
        client.force_login(make_author())
        for name in self.addresses:
            assert client.post(reverse(name), {"content": "x"}).status_code == 403

    def test_are_ours_and_django_markdownx_has_no_other(self):
        assert reverse("markdownx_markdownify").startswith("/admin/editor/")
        for path in ("/markdownx/markdownify/", "/markdownx/upload/"):
            assert self.signed_in().post(path, {"content": "x"}).status_code == 404

    def test_are_never_kept(self):
        for name in self.addresses:
            response = self.signed_in().post(reverse(name), {"content": "x"})
            assert "no-store" in response["Cache-Control"]

    def signed_in(self, **fields: object) -> Client:
        client = Client()
        client.force_login(make_author(**fields))
        return client

    def without_permission(self) -> Client:
        client, author = Client(), make_author()
        author.groups.clear()
        client.force_login(author)
        return client


class PreviewTests(TestCase):
    def setUp(self):
        Site().save()
        self.client.force_login(make_author())

    def preview(self, content: str, query: str = "", **settings: str) -> str:
        data = {"content": content} | settings
        response = self.client.post(reverse("markdownx_markdownify") + query, data)
        assert response.status_code == 200
        return response.content.decode()

    def test_is_the_page_byte_for_byte(self):
        note = make_note(source=SOURCE)
        page = self.client.get(note.get_absolute_url()).content.decode()
        begin, end = '<div class="preview-note">', '</div>\n<div class="problem-list">'
        shown = self.preview(SOURCE, f"?note={note.pk}").split(begin)[1].split(end)[0]
        assert "<math" in shown
        assert len(shown) > 300
        assert shown in page

    def test_says_what_is_wrong_and_where(self):
        shown = self.preview("![A plot](figures/nowhere.png)\n")
        assert 'class="problem problem-' in shown
        assert "nowhere.png" in shown
        assert "line 1" in shown

    def test_quotes_the_line_and_counts_by_severity(self):
        page = BeautifulSoup(
            self.preview("Fine.\n\n  See [@nobody] and and TODO.\n"), "html.parser"
        )
        error, *others = page.select(".problem")
        assert error["data-severity"] == "error"
        assert error.select_one(".problem-severity").text == "Error"
        assert error.select_one("[data-line]").attrs == {
            "class": ["problem-line"], "data-line": "3", "data-column": "8"
        }  # fmt: skip
        assert error.select_one(".problem-quote").text == "See [@nobody] and and TODO."
        assert error.select_one(".problem-cure").text.startswith("Add the reference")
        assert page.select_one(".problem-count").text == "1 error, 2 warnings"

    def test_knows_what_the_note_is_about(self):
        note = make_note(about=["nobody2020"])
        assert "nobody2020" in self.preview("Text.\n", f"?note={note.pk}")
        assert "nobody2020" not in self.preview("Text.\n", f"?note={note.pk}", about="")
        assert "nobody2021" in self.preview("Text.\n", about="nobody2021")

    def test_knows_the_macros_of_the_note(self):
        note = make_note(macros={"\\Expected": "\\mathbb{R}"})
        assert "problem-error" not in self.preview("$\\Expected$\n", f"?note={note.pk}")
        assert "problem-error" in self.preview("$\\Expected$\n")

    def test_takes_macros_and_language_of_the_form_before_those_of_the_note(self):
        note = make_note(macros={"\\Expected": "\\mathbb{R}"}, lang="en")
        query = f"?note={note.pk}"
        shown = self.preview('$\\Real$ "x"\n', query, macros="\\Real = \\mathbb{Q}", lang="de")
        assert "ℚ" in shown
        assert "„x“" in shown
        assert '<div class="preview-note" lang="de">' in shown
        assert "problem-error" in self.preview("$\\Expected$\n", query, macros="", lang="")
        assert "ℚ" in self.preview("$\\Real$\n", macros="\\Real = \\mathbb{Q}")
        note.refresh_from_db()
        assert (note.macros, note.lang) == ({"\\Expected": "\\mathbb{R}"}, "en")

    def test_keeps_to_what_is_stored_while_a_setting_is_half_typed(self):
        note = make_note(macros={"\\Expected": "\\mathbb{R}"}, lang="de")
        query = f"?note={note.pk}"
        shown = self.preview("$\\Expected$\n", query, macros="\\Expe", lang="not a language")
        assert "ℝ" in shown
        assert 'lang="de"' in shown

    def test_never_shows_what_the_sanitiser_takes_out(self):
        shown = self.preview('<script>alert(1)</script><p onclick="x()">kept</p>\n')
        assert "kept" in shown
        assert "<script" not in shown
        assert 'onclick="' not in shown

    def test_stores_nothing(self):
        self.preview("text\n")
        assert not Note.objects.exists()

    def test_refuses_a_request_without_text(self):
        response = self.client.post(reverse("markdownx_markdownify"))
        assert response.status_code == 400
        assert "holds no text" in response.content.decode()

    def test_refuses_more_than_a_source_may_have(self):
        content = {"content": "x" * (5 * 1024 * 1024 + 1)}
        response = self.client.post(reverse("markdownx_markdownify"), content)
        assert response.status_code == 413
        assert "5 MB" in response.content.decode()

    def test_survives_control_characters_and_strange_note_numbers(self):
        for query in ("", "?note=", "?note=x", "?note=9999999", "?note=-1"):
            assert "<p>text</p>" in self.preview("te\0x\x0bt", query)

    def test_takes_the_same_queries_for_any_text(self):
        address = reverse("markdownx_markdownify")
        for repeated in (1, 50):
            with self.assertNumQueries(6):  # site, session, user, two for permissions, figures
                self.client.post(address, {"content": SOURCE * repeated})


class UploadTests(TestCase):
    def setUp(self):
        Site().save()
        self.author = make_author()
        self.client.force_login(self.author)

    def upload(self, file: SimpleUploadedFile | None) -> tuple[int, dict[str, str]]:
        data = {"image": file} if file else {}
        response = self.client.post(reverse("markdownx_upload"), data)
        assert response["Content-Type"] == "application/json"
        return response.status_code, response.json()

    def test_gives_the_markdown_that_shows_the_figure(self):
        status, answer = self.upload(uploaded(encode(gradient(), "PNG"), "Lag Plot.PNG"))
        assert status == 200
        assert answer["image_code"] == "![](figures/lag-plot.png)"
        figure = Figure.objects.get()
        assert (figure.width, figure.height, figure.uploaded_by) == (60, 30, self.author)
        assert figure.path.removeprefix("figures/") in stored_files()

    def test_makes_the_name_of_a_pasted_image_unique(self):
        for expected in ("image.png", "image-2.png", "image-3.png"):
            status, answer = self.upload(uploaded(encode(gradient(), "PNG")))
            assert answer["name"] == expected

    def test_believes_the_bytes_and_no_name(self):
        status, answer = self.upload(uploaded(encode(gradient(), "JPEG"), "../../evil.html"))
        assert answer["image_code"] == "![](figures/evil.jpg)"
        assert not any(name.endswith(".html") for name in stored_files())

    def test_takes_a_drawing_without_its_scripts(self):
        data = HOSTILE["onload"][0]
        status, answer = self.upload(uploaded(data, "plot.svg", "image/svg+xml"))
        assert (status, answer["name"]) == (200, "plot.svg")
        figure = Figure.objects.get()
        assert (figure.width, figure.height, figure.variants) == (300, 150, [])
        assert b"alert" not in (Path(settings.MEDIA_ROOT) / figure.path).read_bytes()

    def test_keeps_an_animation_moving(self):
        status, answer = self.upload(uploaded(animation("GIF"), "move.gif"))
        assert answer["name"] == "move.gif"

    def test_refuses_with_the_right_status_and_one_sentence(self):
        png = encode(gradient(), "PNG")
        cases = [
            (None, 400, "no image"),
            (uploaded(b"", "empty.png"), 400, "empty"),
            (uploaded(png[: len(png) // 2]), 400, "damaged"),
            (uploaded(b"<html><script>", "page.gif", "image/gif"), 415, "not a JPEG"),
            (uploaded(b"<svg xmlns='x'/>", "a.svg", "image/svg+xml"), 415, "SVG"),
            (uploaded(huge_png(13_000, 13_000)), 413, "13000"),
            (uploaded(bytes(10 * 1024 * 1024 + 1)), 413, "more than 10 MB"),
        ]
        before = stored_files()
        for file, status, words in cases:
            answered, answer = self.upload(file)
            assert answered == status, words
            assert words in answer["error"]
            assert set(answer) == {"error"}
        assert not Figure.objects.exists()
        assert stored_files() == before
