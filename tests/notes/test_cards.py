"""Social cards: drawn once, told of in the page's head, whatever script a title is in."""

from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.test import TestCase
from PIL import Image

from notes import cards
from notes.cards import Card, draw, font_for, wrapped
from tests.factories import make_note, make_path, make_topic


def card(title="Policy lag", **fields):
    return Card(
        **{"site": "Research notes", "title": title, "label": "x", "accent": "#8a3324"} | fields
    )


def opened(content):
    return Image.open(BytesIO(content)).convert("L")


def ink_in(content, box):
    """How many pixels of a part of the picture are dark."""
    return sum(opened(content).crop(box).histogram()[:80])


TITLE_BOX = (0, 150, 1200, 480)


@pytest.mark.parametrize(
    "title",
    [
        "Policy lag",
        "A title of three hundred characters " * 8,
        "W" * 300,
        "Łukasz und Jiří",
        "\u200b",
        "مرحبا بالعالم",
        "强化学习中的策略滞后",
        "🜁🜂🜃",
    ],
)
def test_any_title_makes_a_card_of_the_size_that_is_told(title):
    assert opened(draw(card(title))).size == (1200, 630)


def test_a_title_is_set_large_and_within_the_edges():
    content = draw(card("Policy lag " * 12))
    assert ink_in(content, TITLE_BOX) > 10_000
    assert ink_in(content, (0, 0, 60, 630)) == ink_in(content, (1140, 0, 1200, 630)) == 0


def test_letters_that_no_font_has_are_not_drawn_as_boxes():
    with patch.object(cards, "system_fonts", return_value=()):
        assert font_for("强化", cards.SERIF, 60) is None
        assert draw(card("强化")) == draw(card("Research notes"))


def test_a_line_is_never_wider_than_its_room():
    font = font_for("W", cards.SERIF, 60)
    for text in ("one two three " * 20, "W" * 100, "lag " + "x" * 80 + " drift"):
        lines = list(wrapped(text, font, 500))
        assert all(font.getlength(line) <= 500 for line in lines)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


class CardTests(TestCase):
    def test_a_card_is_drawn_once_and_again_for_another_title(self):
        note = make_note(slug="lag", title="One title")
        with patch.object(cards, "draw", wraps=cards.draw) as drawn:
            first = self.client.get("/notes/lag/card.png")
            assert self.client.get("/notes/lag/card.png").content == first.content
            assert drawn.call_count == 1
            type(note).objects.filter(pk=note.pk).update(title="Another title")
            assert self.client.get("/notes/lag/card.png").content != first.content
        assert first["Content-Type"] == "image/png"
        assert list(Path(settings.CARDS_ROOT).glob(".new-*")) == []

    def test_pages_tell_where_their_card_is(self):
        note = make_note(slug="lag", topics=[make_topic(slug="systems")])
        make_path(note, slug="way")
        for page in ("/notes/lag/", "/topics/systems/", "/paths/way/", "/paths/way/lag/"):
            soup = BeautifulSoup(self.client.get(page).content, "html.parser")
            address = soup.find("meta", property="og:image")["content"]
            response = self.client.get(address.removeprefix("http://127.0.0.1:8000"))
            assert response.status_code == 200, page
            assert opened(response.content).size == (1200, 630)
            told = soup.find("meta", property="og:url")["content"]
            assert told == f"http://127.0.0.1:8000{page}"

    def test_what_is_not_public_has_none(self):
        make_note(slug="draft", published_at=None)
        make_topic(slug="empty")
        make_path(make_note(), slug="later", published_at=None)
        for page in ("/notes/draft/", "/topics/empty/", "/paths/later/"):
            assert self.client.get(f"{page}card.png").status_code == 404
