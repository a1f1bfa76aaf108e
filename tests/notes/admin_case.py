"""An author at the admin's forms, as a browser would send them."""

from typing import Any

from bs4 import BeautifulSoup
from django.http import HttpResponse
from django.test import TestCase
from django.urls import reverse

from notes.models import Note
from notesite.models import Site
from notesite.publishing import save_site
from tests.factories import make_author

WITH_ERROR = "$\\frac{1}$\n"


def address_of(note: Note) -> str:
    return reverse("admin:notes_note_change", args=[note.pk])


def publication_of(note: Note) -> str:
    return reverse("admin:notes_note_publication", args=[note.pk])


def text_of(response: HttpResponse) -> str:
    return BeautifulSoup(response.content, "html.parser").get_text(" ", strip=True)


class AdminTestCase(TestCase):
    def setUp(self):
        save_site(Site(name="Notes", time_zone="Asia/Tokyo"))
        self.author = make_author()
        self.client.force_login(self.author)

    def fields_of(self, address: str, **changes: Any) -> dict[str, Any]:
        """What a browser would send from the form at this address, a save readers needn't know."""
        page = BeautifulSoup(self.client.get(address).content, "html.parser")
        form = page.select_one("#content-main form")
        fields: dict[str, Any] = {}
        for field in form.select("input[name], textarea[name], select[name]"):
            if field.get("type") in ("submit", "file"):
                continue
            if field.get("type") in ("checkbox", "radio") and not field.has_attr("checked"):
                continue
            value = field.get("value", "on" if field.get("type") == "checkbox" else "")
            if field.name == "textarea":
                value = field.text.removeprefix("\n")
            if field.name == "select":
                chosen = field.select_one("option[selected]")
                value = chosen["value"] if chosen else ""
            fields.setdefault(field["name"], []).append(value)
        if form.select_one("[name=kind]"):
            fields["kind"] = "minor"
        return fields | {"_continue": "Save"} | changes

    def save(self, note: Note, **changes: Any) -> HttpResponse:
        address = address_of(note)
        return self.client.post(address, self.fields_of(address, **changes))
