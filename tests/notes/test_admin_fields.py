"""What a form shows and gets back unchanged is what is stored, whatever it holds."""

from datetime import UTC, datetime

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from notes.admin.fields import (
    AuthorsField,
    ColourField,
    KeysField,
    LinesField,
    LinksField,
    MacrosField,
    MomentField,
    SynonymsField,
    join_line,
    split_line,
)
from notes.models import Note
from notesite.models import Site
from notesite.publishing import save_site
from series.models import ReadingPath
from tests.factories import make_note, make_path
from tests.notes.admin_case import AdminTestCase, address_of
from tests.notesite.test_admin import SITE
from tests.series.test_admin import address_of as address_of_path

VALUES: list[tuple[type[LinesField], object]] = [
    (AuthorsField, [{"name": "Babbage; Sons", "organisation": True}]),
    (AuthorsField, [{"name": '"Ada" Lovelace'}, {"name": '“A”; "B"; C'}]),
    (AuthorsField, [{"name": "A", "url": "https://a.example/a;b", "orcid": "0000-0002-1825-0097"}]),
    (KeysField, ["smith2026", "a key", "a,b", "mail@key", 'say"so']),
    (SynonymsField, {"evidence": ["Results, in short", '"Proof"', "What = what"]}),
    (MacrosField, {"\\R": "\\mathbb{R}", "\\nothing": "", "\\is": "=, =; ="}),
    (LinksField, [{"name": "Code = all", "url": "HTTPS://code.example/?a=b,c;d"}]),
]


@pytest.mark.parametrize(("kind", "value"), VALUES)
def test_lines_hold_every_value_also_when_another_line_is_changed(kind, value):
    field = kind()
    assert field.clean(field.prepare_value(value)) == value
    assert not field.has_changed(value, field.prepare_value(value))


@pytest.mark.parametrize("mark", [",", ";"])
@pytest.mark.parametrize(
    "entries",
    [["a"], ["a", "b c"], ["a, b; c", "d"], ['"'], ['""', 'a"b', '"a" b'], ["a", '";,"', "b"]],
)
def test_a_line_is_split_as_it_was_joined(entries, mark):
    assert split_line(join_line(entries, mark), mark) == entries


def test_a_line_is_split_as_one_would_write_it():
    assert split_line("Ada ;https://a.example;", ";") == ["Ada", "https://a.example"]
    assert split_line('"Babbage; Sons" ; organisation', ";") == ["Babbage; Sons", "organisation"]
    assert split_line('"Ada" Lovelace; organisation', ";") == ['"Ada" Lovelace', "organisation"]


def test_two_lines_for_one_part_are_one_list():
    assert SynonymsField().clean("evidence = A\nEvidence = B, C") == {"evidence": ["A", "B", "C"]}


def test_lines_that_nobody_touched_give_what_is_stored_whatever_it_is():
    field = AuthorsField()
    field.stored = [{"name": "A", "organisation": False, "url": ""}, {"name": "B", "orcid": "x"}]
    shown = field.prepare_value(field.stored)
    assert field.clean(shown.replace("\n", "\r\n")) == field.stored
    with pytest.raises(ValidationError):
        field.clean(shown + "; y")


def test_a_colour_keeps_its_letters_until_another_is_chosen():
    field = ColourField()
    field.stored = "#8A3324"
    assert field.clean("#8a3324") == "#8A3324"
    assert field.clean("#8a3325") == "#8a3325"


def test_a_time_keeps_its_seconds_and_which_of_two_equal_hours_it_was():
    with timezone.override("Europe/Berlin"):
        for hour in (0, 1):  # 02:30:42 by the clock, twice
            stored = datetime(2026, 10, 25, hour, 30, 42, tzinfo=UTC)
            field = MomentField()
            field.stored = stored
            shown = forms.BoundField(_form(field, stored), field, "at").value()
            assert field.widget.format_value(shown) == "2026-10-25T02:30:42"
            assert field.clean("2026-10-25T02:30:42") == stored
            with pytest.raises(ValidationError):
                field.clean("2026-10-25T02:30:43")


class UntouchedTests(AdminTestCase):
    def test_paths_keep_their_second_when_they_are_saved(self):
        moment = timezone.now().replace(hour=9, minute=0, second=42, microsecond=0)
        for second in (0, 42):
            path = make_path(make_note(), published_at=moment.replace(second=second))
            address = address_of_path(path)
            fields = self.fields_of(address, line="Another line.")
            if second == 0:
                # As browsers write a full minute.
                fields["published_at"] = [fields["published_at"][0].removesuffix(":00")]
            assert self.client.post(address, fields).status_code == 302
            stored = ReadingPath.objects.get(pk=path.pk)
            assert (stored.line, stored.published_at) == ("Another line.", path.published_at)

    def test_notes_are_saved_whoever_wrote_them(self):
        authors = [{"name": "Babbage; Sons", "organisation": True}, {"name": "Ada"}]
        note = make_note(authors=authors)
        assert self.save(note, title="Another title").status_code == 302
        fields = self.fields_of(address_of(note))
        fields["authors"] = [fields["authors"][0] + "\nGrace Hopper"]
        assert self.client.post(address_of(note), fields).status_code == 302
        assert Note.objects.get(pk=note.pk).authors == [*authors, {"name": "Grace Hopper"}]

    def test_the_site_keeps_headings_with_commas_and_the_letters_of_its_colour(self):
        site = Site.objects.current()
        site.synonyms = {"evidence": ["Results, in short", "Findings"]}
        site.accent_colour = "#8A3324"
        save_site(site)
        fields = self.fields_of(SITE, name="Renamed")
        fields["accent_colour"] = [fields["accent_colour"][0].lower()]
        self.client.post(SITE, fields)
        stored = Site.objects.current()
        assert stored.name == "Renamed"
        assert stored.synonyms == site.synonyms
        assert stored.accent_colour == "#8A3324"


def _form(field: forms.Field, value: object) -> forms.Form:
    form = forms.Form(initial={"at": value})
    form.fields["at"] = field
    return form
