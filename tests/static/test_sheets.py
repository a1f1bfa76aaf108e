"""The sheets: one order, tokens that can be read on both grounds, nothing from elsewhere."""

import re

import pytest
from django.conf import settings

from notesite.models import Site, contrast

FOLDER = settings.BASE_DIR / "static" / "css"
SHEETS = sorted(FOLDER.glob("*.css"))
PAIR = re.compile(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
COLOURS = {
    name: (light, dark) for sheet in SHEETS for name, light, dark in PAIR.findall(sheet.read_text())
}
CODE = [name for name in COLOURS if name.startswith("code-")]
# Marked lines of code stand on paper; the others, like removed ones in red, on a plate.
READ_AS_TEXT = ["ink", "ink-strong", "ink-quiet", "problem", *CODE]
READ_ON_PLATES = [*CODE, "ink", "ink-quiet", "problem"]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", READ_AS_TEXT)
def test_text_can_be_read_on_paper(name, theme):
    assert contrast(COLOURS[name][theme], COLOURS["paper"][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", READ_ON_PLATES)
def test_code_can_be_read_on_its_plate(name, theme):
    assert contrast(COLOURS[name][theme], COLOURS["plate"][theme]) >= 4.5


def test_the_accent_is_judged_on_the_paper_it_is_set_on():
    assert COLOURS["paper"][0] == Site.PAPER


def test_the_accent_of_the_sheet_is_the_default():
    assert f"--accent-chosen: {Site.DEFAULT_ACCENT};" in (FOLDER / "tokens.css").read_text()


def test_every_sheet_keeps_to_the_one_order_of_layers():
    order = re.search(r"@layer ([^;]+);", (FOLDER / "layers.css").read_text())
    assert order is not None
    named = {name.strip() for name in order[1].split(",")}
    for sheet in SHEETS:
        assert set(re.findall(r"@layer (\w+) \{", sheet.read_text())) <= named, sheet.name


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_sheet_shouts_at_nothing_and_asks_nobody_else(sheet):
    text = sheet.read_text()
    assert "!important" not in text
    assert not re.search(r"url\([\"']?(?:https?:|//)", text)
