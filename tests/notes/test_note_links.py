"""`[[slug]]` on pages, in feeds, in paths and in the preview: a link to what readers may see."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client, TestCase
from django.utils import timezone

from notes.markdown import Inputs, render
from notes.markdown.roots import NOTE_MARK, REFERENCE_MARK
from notes.models import Note
from notes.publishing import save_note
from tests.factories import make_author, make_note, make_path

TITLE = "The title of the other one"
STATES = {
    "draft": {"published_at": None},
    "withdrawn": {"withdrawn": "It was wrong."},
    "trash": {"trashed": True},
}


def test_what_is_stored_knows_neither_address_nor_title(db):
    make_note(slug="other", title=TITLE)
    note = make_note(source="See [[other]].\n")
    assert f'data-note="{NOTE_MARK}other"' in note.html
    assert TITLE not in note.html
    assert "/other" not in note.html
    assert [mention.name for mention in note.mentions.all()] == ["other"]


def test_nobody_can_write_a_stored_link():
    written = (
        f'<a class="note-link" data-note="{NOTE_MARK}other">x</a> {NOTE_MARK} '
        f'<a class="citation" data-reference="{REFERENCE_MARK}key">x</a> {REFERENCE_MARK}'
    )
    html = render(written, Inputs(is_short=True)).html
    for mark in (NOTE_MARK, REFERENCE_MARK, "data-note", "data-reference"):
        assert mark not in html


def test_a_page_links_to_a_public_note_by_its_title(client, db):
    make_note(slug="other", title=TITLE)
    note = make_note(source="See [[other]], [[other#The end|so]].\n")
    page = client.get(note.get_absolute_url()).text
    assert f'<a href="/notes/other/">{TITLE}</a>' in page
    assert '<a href="/notes/other/#s-the-end">so</a>' in page


@pytest.mark.parametrize("state", STATES)
def test_a_page_leaves_the_authors_text_of_what_is_not_public(client, db, state):
    make_note(slug="other", title=TITLE, **STATES[state])
    note = make_note(source="See [[other]] and [[other|so]].\n")
    for address in (note.get_absolute_url(), "/feed.atom"):
        page = client.get(address).text
        assert "See other and so." in page
        assert TITLE not in page
        assert "/notes/other/" not in page


def test_a_link_is_there_in_the_second_of_publication(client, db):
    at = timezone.now().replace(microsecond=0) + timedelta(days=1)
    make_note(slug="other", title=TITLE, published_at=at)
    note = make_note(source="See [[other]].\n")
    with time_machine.travel(at - timedelta(milliseconds=1), tick=False):
        assert TITLE not in client.get(note.get_absolute_url()).text
    with time_machine.travel(at, tick=False):
        assert f'"/notes/other/">{TITLE}</a>' in client.get(note.get_absolute_url()).text


def test_a_renamed_note_is_found_by_every_name_it_had(client, db):
    other = make_note(slug="first", title=TITLE)
    note = make_note(source="See [[first]], [[second]] and [[third]].\n")
    for slug in ("second", "third"):
        other.slug = slug
        save_note(other)
    page = client.get(note.get_absolute_url()).text
    assert page.count(f'<a href="/notes/third/">{TITLE}</a>') == 3


def test_links_follow_a_note_that_is_renamed_twice_and_back(client, db, settings):
    other = make_note(slug="first", title=TITLE)
    note = make_note(slug="note", source="Do see [[first]] and [it](/notes/first/).\n")
    make_path(note, other, slug="way", bridges=["Then [[first]]."])
    for slug in ("second", "third", "first"):
        other.slug = slug
        save_note(other)
        link = f'<a href="/notes/{slug}/">{TITLE}</a>'
        assert f"Do see {link}" in client.get("/notes/note/").text
        feed = client.get("/feed.atom").text
        assert f'href="{settings.SITE_URL}/notes/{slug}/"&gt;{TITLE}&lt;/a&gt;' in feed
        step = f'<a href="/paths/way/{slug}/">{TITLE}</a>'
        for address in ("/paths/way/", "/paths/way/note/"):
            assert f"Then {step}" in client.get(address).text
        assert f"Do see {step}" in client.get("/paths/way/note/").text
        backlinks = client.get(f"/notes/{slug}/").context["backlinks"]
        assert [one.sentence for one in backlinks] == ["Do see first and it."]
        assert not Note.objects.get(slug="note").problems
        if slug != "first":
            assert client.get("/notes/first/").headers["Location"] == f"/notes/{slug}/"


def test_a_note_without_a_title_is_linked_by_its_first_words(client, db):
    make_note(slug="other", title="", source="Some first words of a long text.\n")
    note = make_note(source="See [[other]].\n")
    assert '">Some first words of' in client.get(note.get_absolute_url()).text


def test_take_aways_link_too(client, db):
    make_note(slug="other", title=TITLE)
    note = make_note(source="## What to take away\n\n- Read [[other]].\n")
    page = client.get(note.get_absolute_url()).text
    assert page.count(f'<a href="/notes/other/">{TITLE}</a>') == 2


def test_inside_a_path_links_lead_to_its_public_steps(client, db):
    step, elsewhere = make_note(slug="step"), make_note(slug="elsewhere")
    hidden = make_note(slug="hidden", title=TITLE, published_at=None)
    note = make_note(slug="one", source="[[step|a]] [[elsewhere|b]] [[hidden|c]] [[hidden]]\n")
    make_path(note, step, hidden, slug="way")
    page = client.get("/paths/way/one/").text
    assert '<a href="/paths/way/step/">a</a> <a href="/notes/elsewhere/">b</a> c hidden' in page
    assert '<a href="/notes/step/">a</a>' in client.get("/notes/one/").text
    assert elsewhere.slug in page
    author = Client()
    author.force_login(make_author())
    assert TITLE not in author.get("/notes/one/").text


def test_a_feed_links_with_the_public_origin(client, db, settings):
    make_note(slug="other", title=TITLE)
    make_note(source="See [[other]].\n")
    feed = client.get("/feed.atom").text
    assert f'href="{settings.SITE_URL}/notes/other/"&gt;{TITLE}&lt;/a&gt;' in feed


def test_the_preview_shows_links_as_the_page_will(db):
    make_note(slug="other", title=TITLE)
    client = Client()
    client.force_login(make_author())
    answer = client.post("/admin/editor/preview/", {"content": "See [[other]] and [[none]]."})
    assert f'<a href="/notes/other/">{TITLE}</a> and none.' in answer.text


class Queries(TestCase):
    def test_a_page_asks_once_for_all_its_links(self):
        others = [make_note() for _ in range(4)]
        links = " ".join(f"[[{other.slug}]]" for other in others)
        note = make_note(source=f"{links} [[none]]\n")
        with self.assertNumQueries(7):
            self.client.get(note.get_absolute_url())

    def test_a_feed_asks_once_for_the_links_of_all_notes(self):
        for _ in range(4):
            make_note(source=f"[[{make_note().slug}]] [[none]]\n")
        with self.assertNumQueries(4):
            self.client.get("/feed.atom")
