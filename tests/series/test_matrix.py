"""Every combination of a note's place, the paths it is in, a hidden step and new names."""

from dataclasses import dataclass
from itertools import product

import pytest
from bs4 import BeautifulSoup

from notes.models import Note
from notes.publishing import save_note
from series.models import ReadingPath
from series.publishing import save_path
from tests.factories import make_note, make_path

PLACES = ("first", "middle", "last", "only")
MEMBERSHIPS = ("one path", "two paths", "no path")
HIDDEN = ("nothing", "draft", "withdrawn", "trashed", "removed")
RENAMED = ("nothing", "path", "note", "both")
SENTENCE = "It was wrong."


@dataclass
class Situation:
    """A path, the note in question, and the others that are public steps, in order."""

    path: ReadingPath
    note: Note
    steps: list[Note]
    hidden: Note | None
    second: ReadingPath | None


def arrange(place: str, membership: str, hidden: str, renamed: str) -> Situation:
    note = make_note(slug="note", source="word " * 500)
    one, two = make_note(slug="one"), make_note(slug="two")
    out_of_sight = {
        "nothing": lambda: None,
        "draft": lambda: make_note(slug="hidden", published_at=None),
        "withdrawn": lambda: make_note(slug="hidden", withdrawn=SENTENCE),
        "trashed": lambda: make_note(slug="hidden", trashed=True),
        "removed": lambda: make_note(slug="hidden"),
    }[hidden]()
    around = {
        "first": [note, out_of_sight, one, two],
        "middle": [one, out_of_sight, note, two],
        "last": [one, two, out_of_sight, note],
        "only": [out_of_sight, note],
    }[place]
    stored = [step for step in around if step and (membership != "no path" or step != note)]
    path = make_path(*stored, slug="path")
    if hidden == "removed":
        stored.remove(out_of_sight)
        save_path(path, [(step, "") for step in stored])
    second = make_path(two, note, slug="second") if membership == "two paths" else None
    if renamed in {"path", "both"}:
        path.slug = "renamed-path"
        save_path(path)
    if renamed in {"note", "both"}:
        note.slug = "renamed-note"
        save_note(note)
    steps = [step for step in stored if step != out_of_sight]
    return Situation(path, note, steps, out_of_sight, second)


def former_addresses(at: Situation) -> set[str]:
    paths, notes = {"path", at.path.slug}, {"note", at.note.slug}
    return {f"/paths/{path}/{note}/" for path, note in product(paths, notes)}


@pytest.mark.django_db
@pytest.mark.parametrize("renamed", RENAMED)
@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("membership", MEMBERSHIPS)
@pytest.mark.parametrize("place", PLACES)
def test_a_note_in_a_path(client, place, membership, hidden, renamed):
    at = arrange(place, membership, hidden, renamed)
    address = f"/paths/{at.path.slug}/{at.note.slug}/"
    if not at.steps:
        check_a_path_without_steps(client, at)
        return
    check_the_path_page(client, at)
    if membership == "no path":
        # The path is there, the note is public but no step of it: its own address, for now.
        for former in former_addresses(at):
            check_redirect(client, former, f"/notes/{at.note.slug}/", status=302)
    else:
        check_the_step(client, address, at.path, at.note, at.steps)
        for former in former_addresses(at) - {address}:
            check_redirect(client, former, address)
    if at.second:
        second = f"/paths/second/{at.note.slug}/"
        notes = [at.steps[-1] if place == "first" else Note.objects.get(slug="two"), at.note]
        check_the_step(client, second, at.second, at.note, notes)
        if at.note.slug != "note":
            check_redirect(client, "/paths/second/note/", second)
    check_the_hidden_step(client, at, hidden)
    check_the_note_names_its_paths(client, at)


def check_a_path_without_steps(client, at):
    for address in (f"/paths/{at.path.slug}/", *former_addresses(at)):
        assert client.get(address).status_code == 404, address
    assert client.get(f"/paths/{at.path.slug}/feed.atom").status_code == 404
    for address in ("/", "/paths/", "/sitemap.xml"):
        assert f"/paths/{at.path.slug}/" not in client.get(address).text, address


def check_the_path_page(client, at):
    response = client.get(f"/paths/{at.path.slug}/")
    assert [step.note for step in response.context["steps"]] == at.steps
    assert response.context["minutes"] == sum(note.minutes for note in at.steps)
    listed = {
        entry["path"].slug: [step.note for step in entry["steps"]]
        for entry in client.get("/paths/").context["paths"]
    }
    assert listed[at.path.slug] == at.steps
    if at.path.slug != "path":
        check_redirect(client, "/paths/path/", f"/paths/{at.path.slug}/")


def check_the_step(client, address, path, note, notes):
    response = client.get(address)
    assert response.status_code == 200
    context, here = response.context, notes.index(note)
    assert (context["note"], context["path"]) == (note, path)
    assert (context["step_number"], context["step_count"]) == (here + 1, len(notes))
    previous, following = context["previous_step"], context["next_step"]
    assert (previous and previous.note) == (notes[here - 1] if here else None)
    assert (following and following.note) == (notes[here + 1] if notes[here + 1 :] else None)
    soup = BeautifulSoup(response.content, "html.parser")
    canonical = soup.find("link", rel="canonical")["href"]
    assert canonical == f"http://127.0.0.1:8000/notes/{note.slug}/"
    assert soup.find("meta", property="og:url")["content"] == f"http://127.0.0.1:8000{address}"
    for step in (previous, following):
        if step:
            assert client.get(step.get_absolute_url()).status_code == 200


def check_the_hidden_step(client, at, hidden):
    if hidden == "nothing":
        return
    response = client.get(f"/paths/{at.path.slug}/hidden/")
    if hidden == "removed":
        assert (response.status_code, response["Location"]) == (302, "/notes/hidden/")
    elif hidden == "withdrawn":
        assert response.status_code == 410
        assert SENTENCE in response.text
    else:
        assert response.status_code == 404
        assert response.content == client.get(f"/paths/{at.path.slug}/never-there/").content
    if hidden != "removed":
        for address in ("/", "/paths/", f"/paths/{at.path.slug}/", f"/notes/{at.note.slug}/"):
            assert "hidden/" not in client.get(address).text, address


def check_the_note_names_its_paths(client, at):
    context = client.get(f"/notes/{at.note.slug}/").context
    named = {step.path: step.position_number for step in context["paths_of"]}
    expected = {at.path: at.steps.index(at.note) + 1} if at.note in at.steps else {}
    if at.second:
        expected[at.second] = 2
    assert named == expected


def check_redirect(client, address, target, status=301):
    response = client.get(address)
    assert (response.status_code, response.get("Location")) == (status, target), address
    assert client.get(target).status_code == 200
