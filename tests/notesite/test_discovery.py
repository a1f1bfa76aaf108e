"""What programs ask for: robots.txt, security.txt, llms.txt, the manifest."""

import json
from datetime import datetime, timedelta
from io import BytesIO

import time_machine
from django.contrib.staticfiles import finders
from django.test import TestCase
from PIL import Image

from notesite.models import Site
from notesite.publishing import save_site
from tests.factories import make_many_notes, make_note, make_path, make_topic

SITE = "http://127.0.0.1:8000"


class DiscoveryTests(TestCase):
    def text(self, address):
        response = self.client.get(address)
        assert response.status_code == 200
        return response.content.decode()

    def test_robots_are_told_of_the_map_and_kept_from_the_admin(self):
        assert self.text("/robots.txt") == (
            f"User-agent: *\nDisallow: /admin/\nSitemap: {SITE}/sitemap.xml\n"
        )

    @time_machine.travel("2026-11-30T12:00:00Z", tick=False)
    def test_a_weakness_can_be_told_to_the_contact_address(self):
        assert self.client.get("/.well-known/security.txt").status_code == 404
        save_site(Site(contact="hao@example.org", language="de"))
        assert self.text("/.well-known/security.txt").splitlines() == [
            "Contact: mailto:hao@example.org",
            "Expires: 2027-05-29T00:00:00Z",
            "Preferred-Languages: de",
            f"Canonical: {SITE}/.well-known/security.txt",
        ]

    def test_the_manifest_names_icons_that_have_the_sizes_it_says(self):
        save_site(Site(name="Research notes", author="Hao Zhang"))
        response = self.client.get("/manifest.webmanifest")
        assert response["Content-Type"].startswith("application/manifest+json")
        manifest = json.loads(response.content)
        assert manifest["name"] == "Hao Zhang · Research notes"
        for icon in manifest["icons"]:
            with open(finders.find(icon["src"].removeprefix("/static/")), "rb") as file:
                content = file.read()
            if icon["type"] == "image/png":
                side = int(icon["sizes"].split("x")[0])
                assert Image.open(BytesIO(content)).size == (side, side)

    def test_a_language_model_is_told_what_there_is_and_where_its_source_is(self):
        note = make_note(slug="lag", title="Lag [and drift]", dek="What it\ncosts.")
        make_note(published_at=None, title="Hidden")
        make_path(note, slug="way", title="A way", line="One line.")
        make_topic(name="Unused")
        lines = self.text("/llms.txt").splitlines()
        assert lines[0] == "# Research notes"
        assert rf"- [Lag \[and drift\]]({SITE}/notes/lag.md): What it costs." in lines
        assert f"- [A way]({SITE}/paths/way/): One line." in lines
        assert "Hidden" not in "".join(lines)
        assert "Unused" not in "".join(lines)

    def test_that_list_is_bounded(self):
        make_many_notes(70)
        with self.assertNumQueries(4):
            text = self.text("/llms.txt")
        assert text.count("/notes/one-of-many-") == 60

    def test_security_expires_within_a_year_as_the_standard_asks(self):
        save_site(Site(contact="hao@example.org"))
        line = self.text("/.well-known/security.txt").splitlines()[1]
        expires = datetime.fromisoformat(line.removeprefix("Expires: "))
        until = expires - datetime.now(expires.tzinfo)
        assert timedelta(days=30) < until < timedelta(days=366)
