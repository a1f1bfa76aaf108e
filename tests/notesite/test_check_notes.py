"""`manage.py check_notes`: every problem of every note."""

import io
import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from notes.models import Note, Topic
from notes.publishing import save_pending, save_topic
from notesite.models import Site
from notesite.publishing import save_site
from series.publishing import trash_path
from tests.factories import make_note, make_path

pytestmark = pytest.mark.django_db
BROKEN = "One.\n\n![](figures/none.png)\n"


def run(*arguments: str) -> tuple[str, str, int]:
    """What the command writes to standard output and standard error, and its exit code."""
    out, error, code = io.StringIO(), io.StringIO(), 0
    try:
        call_command("check_notes", *arguments, stdout=out, stderr=error)
    except SystemExit as end:
        code = end.code
    return out.getvalue(), error.getvalue(), code


@pytest.fixture
def topic():
    return save_topic(Topic(slug="training", name="Training"))


def test_says_nothing_of_a_note_that_has_all(topic):
    make_note(topics=[topic])
    assert run() == ("", "0 errors, 0 warnings, 0 notices\n", 0)
    assert run("--json") == ("[]\n", "", 0)


def test_an_error_has_its_line_and_the_exit_code(topic):
    make_note(slug="a", source=BROKEN, topics=[topic])
    out, error, code = run()
    assert out == (
        "notes/a:3 error unknown-figure: There is no figure “none.png”. – "
        "Upload it under this name, or correct the name.\n"
    )
    assert error == "1 error, 0 warnings, 0 notices\n"
    assert code == 1


def test_json_is_one_list(topic):
    make_note(slug="a", source=BROKEN + BROKEN, topics=[topic])
    out, _error, code = run("--json")
    problems = json.loads(out)
    assert [(one["note"], one["code"], one["line"]) for one in problems] == [
        ("a", "unknown-figure", 3),
        ("a", "unknown-figure", 6),
    ]
    assert set(problems[0]) == {
        "kind", "place", "note", "code", "severity", "line", "column", "message", "cure"
    }  # fmt: skip
    assert code == 1


def test_a_public_note_should_have_a_topic_and_a_dek():
    make_note(slug="a", dek="")
    make_note(slug="b", dek="", published_at=timezone.now() + timedelta(days=1))
    make_note(slug="draft", dek="", published_at=None)
    make_note(slug="withdrawn", dek="", withdrawn="It was wrong.")
    out, _error, code = run()
    assert [line.split(": ")[0] for line in out.splitlines()] == [
        "notes/a:0 warning no-topic",
        "notes/a:0 notice no-dek",
        "notes/b:0 warning no-topic",
        "notes/b:0 notice no-dek",
    ]
    assert code == 0


def test_a_reference_that_is_not_there_is_an_error(topic):
    make_note(slug="a", about=["nobody2020"], topics=[topic])
    assert run()[0].startswith("notes/a:0 error unknown-reference: ")


def test_the_trash_is_left_out(topic):
    make_note(slug="a", source=BROKEN, topics=[topic], trashed=True)
    assert run() == ("", "0 errors, 0 warnings, 0 notices\n", 0)


def test_checks_the_named_notes_alone(topic):
    for slug in "abc":
        make_note(slug=slug, source=BROKEN, topics=[topic])
    out = run("--slug", "a", "c")[0]
    assert [line.split(":")[0] for line in out.splitlines()] == ["notes/a", "notes/c"]
    with pytest.raises(CommandError, match="There is no note x"):
        run("--slug", "a", "x")


def test_the_pending_version_is_checked_beside_its_note(topic):
    note = make_note(slug="a", topics=[topic])
    save_pending(note, {"title": "A", "source": "Hm.\n\n[[none]]\n", "about": ["nobody2020"]})
    out, _error, code = run("--slug", "a")
    assert [line.split(": ")[0] for line in out.splitlines()] == [
        "pending/a:0 warning no-topic",
        "pending/a:0 notice no-dek",
        "pending/a:3 error unknown-note",
        "pending/a:0 error unknown-reference",
    ]
    assert code == 1
    assert json.loads(run("--json")[0])[0]["kind"] == "pending"
    assert Note.objects.get(pk=note.pk).problems == []


def test_texts_of_paths_and_site_are_checked_too(topic):
    note = make_note(slug="a", topics=[topic])
    make_path(note, slug="way", description="## Evidence\n\n[[none]]\n", bridges=["[@none]"])
    trash_path(make_path(note, slug="gone", description="[[none]]"))
    site = Site.objects.current()
    site.intro, site.about = "$\\frac$", "Fine.\n\nTK\n"
    save_site(site)
    found = json.loads(run("--json")[0])
    assert [(one["kind"], one["place"], one["line"], one["code"]) for one in found] == [
        ("intro", "site/intro", 1, "bad-formula"),
        ("about", "site/about", 3, "unfinished"),
        ("path", "paths/way", 3, "unknown-note"),
        ("bridge", "paths/way/a", 1, "unknown-citation"),
    ]
    assert "site/about:3 warning unfinished: " in run()[0]
    assert run("--slug", "a") == ("", "0 errors, 0 warnings, 0 notices\n", 0)


def test_a_stale_note_is_judged_by_what_it_would_become(topic):
    note = make_note(slug="a", source=BROKEN, topics=[topic])
    Note.objects.filter(pk=note.pk).update(problems=[], renderer_version=0)
    assert run()[2] == 1
    assert Note.objects.get(pk=note.pk).problems == []


def test_reads_no_text_of_a_note_and_asks_as_often_whatever_their_number(
    topic, django_assert_num_queries
):
    for _ in range(5):
        make_note(source=BROKEN, topics=[topic])
    run()  # the site's row is made
    with django_assert_num_queries(8) as queries:
        run()
    assert not any('"notes_note"."source"' in query["sql"] for query in queries)
