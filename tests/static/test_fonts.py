"""The faces served here: what they weigh, what they can do, whose they are."""

import pytest
from django.conf import settings
from fontTools.ttLib import TTFont

FONTS = settings.BASE_DIR / "static" / "fonts"
# What a first visit loads; the extended ones come only for the letters they hold.
TEXT = ("stix-two-text.woff2", "stix-two-text-italic.woff2", "notesite-sans.woff2")
EXTENDED = ("stix-two-text-extended.woff2", "stix-two-text-italic-extended.woff2")
MATH = "stix-two-math.woff2"


def test_the_text_faces_weigh_no_more_than_seventy_kilobytes():
    assert sum((FONTS / name).stat().st_size for name in TEXT) <= 70_000


def test_the_math_face_weighs_no_more_than_a_hundred_and_sixty_kilobytes():
    assert (FONTS / MATH).stat().st_size <= 160_000


def test_braces_and_roots_can_stretch():
    assert "MATH" in TTFont(FONTS / MATH)


def test_letters_in_formulas_are_as_tall_as_those_of_the_text():
    text, math = TTFont(FONTS / TEXT[0]), TTFont(FONTS / MATH)
    assert text["OS/2"].sxHeight == math["OS/2"].sxHeight
    assert text["OS/2"].sCapHeight == math["OS/2"].sCapHeight


def test_every_size_of_the_root_sign_is_equally_wide():
    """Chromium reserves the width of the widest; a narrower one would leave a gap behind it."""
    font = TTFont(FONTS / MATH)
    variants = font["MATH"].table.MathVariants
    root = font.getBestCmap()[ord("√")]
    place = variants.VertGlyphCoverage.glyphs.index(root)
    sizes = [
        record.VariantGlyph
        for record in variants.VertGlyphConstruction[place].MathGlyphVariantRecord
    ]
    assert len({font["hmtx"][glyph][0] for glyph in [root, *sizes]}) == 1


@pytest.mark.parametrize("name", ["Łódź", "Jiří", "Şahin", "Nguyễn"])
def test_names_of_authors_are_set_in_the_text_face_where_latin_extended_a_has_them(name):
    held = set(TTFont(FONTS / TEXT[0]).getBestCmap()) | set(
        TTFont(FONTS / EXTENDED[0]).getBestCmap()
    )
    assert {ord(letter) for letter in name if ord(letter) < 0x180} <= held


def test_each_face_comes_with_its_licence():
    for licence in ("STIX-LICENSE.txt", "SOURCE-SANS-LICENSE.txt"):
        assert "SIL Open Font License" in (FONTS / licence).read_text()


def test_arrows_can_be_joined_from_their_parts():
    """Chromium stretches nothing whose parts overlap by less than the face demands."""
    variants = TTFont(FONTS / MATH)["MATH"].table.MathVariants
    for construction in variants.HorizGlyphConstruction:
        parts = construction.GlyphAssembly.PartRecords if construction.GlyphAssembly else []
        for before, after in zip(parts, parts[1:], strict=False):
            overlap = min(before.EndConnectorLength, after.StartConnectorLength)
            assert overlap >= variants.MinConnectorOverlap, (before.glyph, after.glyph)
