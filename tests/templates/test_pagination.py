"""The links between pages of a list say what they lead to."""

import pytest
from bs4 import BeautifulSoup

from notes.models import Topic
from notesite.models import Site
from series.models import ReadingPath, Step
from tests.factories import make_many_notes, make_note, make_path, make_topic

pytestmark = pytest.mark.django_db
NUMBER = 130  # more than two pages


def words(client, address):
    """What the links to the page before and the page after are called."""
    page = BeautifulSoup(client.get(address).content, "html.parser")
    return [page.select_one(f".pagination a[rel={rel}]").text for rel in ("prev", "next")]


def test_lists_by_date_lead_to_newer_and_older_notes(client):
    Site().save()
    topic = make_topic(slug="lag")
    make_many_notes(NUMBER, topics=[topic])
    for address in ("/page/2/", "/archive/page/2/", "/topics/lag/page/2/"):
        assert words(client, address) == ["Newer", "Older"], address


def test_lists_in_an_order_of_their_own_lead_to_the_page_before_and_after(client):
    Site().save()
    note = make_note()
    Topic.objects.bulk_create(
        Topic(name=f"Topic {n}", slug=f"one-of-many-{n}", position=n) for n in range(NUMBER)
    )
    note.topics.set(Topic.objects.all())
    path = make_path(note)
    paths = ReadingPath.objects.bulk_create(
        ReadingPath(
            title=f"Path {n}",
            slug=f"one-of-many-{n}",
            position=n,
            published_at=path.published_at,
            first_published_at=path.first_published_at,
        )
        for n in range(NUMBER)
    )
    Step.objects.bulk_create(Step(path=path, note=note, position=1) for path in paths)
    for address in ("/topics/page/2/", "/paths/page/2/"):
        assert words(client, address) == ["Previous", "Next"], address
