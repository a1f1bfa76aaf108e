"""Drawings: what strangers put into them goes, what programs draw stays."""

import base64
import io
import re
import time

import pytest
from PIL import Image as Pillow

from notes.images import Image, ImageRefused, decode, is_clean, prepare
from tests.notes.drawings import (
    BY_HAND,
    CLASSES,
    HARMLESS,
    HOSTILE,
    INKSCAPE,
    MATPLOTLIB,
    REFUSED,
    drawing,
)
from tests.notes.image_files import SECRET, encode, exif, gradient, huge_png

# Whatever comes out is of these forms, also where no test thought of it.
FORBIDDEN = re.compile(
    r"<(?:script|foreignobject|style|a|iframe|handler|feimage)\b|<[!?]|\son\w+=|\sstyle=|:href"
    r"|href=\"(?!#|data:image/(?:png|jpeg|gif|webp|avif);base64,)|url\((?!#)|https?://(?!www\.w3)"
    r"|javascript:|@import",
    re.I,
)


def cleaned(source: str | bytes) -> str:
    picture = decode(source.encode() if isinstance(source, str) else source)
    return picture.bytes.decode()


def embedded(data: bytes, kind: str = "png") -> bytes:
    address = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    return drawing(f'<image width="9" height="9" xlink:href="{address}"/>')


class TestHostile:
    @pytest.mark.parametrize("name", HOSTILE)
    def test_things_go_and_the_rest_stays(self, name):
        data, gone = HOSTILE[name]
        try:
            text = cleaned(data)
        except ImageRefused:
            assert name == "comment"  # which isn't XML
            return
        assert not FORBIDDEN.search(text)
        assert '<rect width="10" height="10" fill="red"/>' in text
        for words in gone:
            assert words not in text.lower()

    @pytest.mark.parametrize("name", HOSTILE)
    def test_things_stay_gone_on_a_second_pass(self, name):
        if name != "comment":
            once = decode(HOSTILE[name][0])
            assert decode(once.bytes) == once

    @pytest.mark.parametrize("name", REFUSED)
    def test_files_are_refused_at_once_with_the_reason(self, name):
        data, reason = REFUSED[name]
        began = time.process_time()
        with pytest.raises(ImageRefused, match=reason):
            decode(data)
        assert time.process_time() - began < 0.5

    def test_selectors_do_not_blow_up(self):
        sheet = "<style>circle g g g g g g rect{fill:red}</style>"
        began = time.process_time()
        with pytest.raises(ImageRefused, match="style sheet"):
            decode(drawing(sheet + "<g>" * 90 + "<rect/>" + "</g>" * 90))
        assert time.process_time() - began < 3

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-7"])
    def test_encodings_hide_nothing(self, encoding):
        declared = f'<?xml version="1.0" encoding="{encoding}"?>'
        data = (declared + HOSTILE["script"][0].decode()).encode(encoding)
        with pytest.raises(ImageRefused):
            decode(data)

    def test_pictures_inside_lose_what_they_know_of_their_author(self):
        data = encode(gradient(), "JPEG", exif=exif(6).tobytes(), comment=SECRET)
        text = cleaned(embedded(data, "jpeg"))
        inside = base64.b64decode(text.partition("base64,")[2].partition('"')[0])
        assert SECRET in data
        assert SECRET not in inside
        assert Pillow.open(io.BytesIO(inside)).size == (30, 60)

    def test_pictures_inside_have_the_type_that_they_are(self):
        text = cleaned(embedded(encode(gradient(), "PNG"), "gif"))
        assert 'href="data:image/png;base64,' in text

    def test_pictures_inside_are_no_bombs(self):
        with pytest.raises(ImageRefused, match="13000 × 13000"):
            decode(embedded(huge_png(13_000, 13_000)))

    def test_pictures_inside_that_are_none_are_refused(self):
        with pytest.raises(ImageRefused, match="not a JPEG"):
            decode(embedded(b"<script>alert(1)</script>"))


class TestHarmless:
    @pytest.mark.parametrize("name", HARMLESS)
    def test_drawings_pass_with_their_size(self, name):
        source, size = HARMLESS[name]
        picture = decode(source.encode())
        assert isinstance(picture, Image)
        assert (picture.width, picture.height) == size
        assert (picture.format, picture.extension, picture.frames) == ("SVG", "svg", 1)
        assert not FORBIDDEN.search(picture.bytes.decode())

    @pytest.mark.parametrize("name", HARMLESS)
    def test_drawings_keep_their_bytes_from_then_on(self, name):
        once = decode(HARMLESS[name][0].encode())
        assert prepare(once.bytes, keep_clean=True) == once
        assert decode(once.bytes) == once
        assert is_clean(once.bytes)
        assert not is_clean(HARMLESS[name][0].encode())

    def test_matplotlibs_styles_become_attributes(self):
        text = cleaned(MATPLOTLIB)
        root = text.partition(">")[0]
        assert 'stroke-linejoin="round"' in root
        assert 'stroke-linecap="butt"' in root
        assert 'clip-path="url(#p1)" fill="none" stroke="#1f77b4"' in text
        assert '<use href="#m1" x="77.5" y="307.5"' in text
        assert (
            'font-style="italic" font-weight="bold" font-size="10px" '
            'font-family="\'DejaVu Sans\', sans-serif" text-anchor="middle">a &lt; b</text>'
        ) in text

    def test_what_is_shown_elsewhere_keeps_what_it_would_inherit(self):
        path = cleaned(MATPLOTLIB).partition('<path id="m1"')[2].partition("/>")[0]
        assert 'stroke-linejoin="round"' in path

    def test_inkscapes_gradients_markers_and_spaces_stay(self):
        text = cleaned(INKSCAPE)
        assert 'stop-color="#ff0000"' in text
        assert '<linearGradient href="#lg1" id="lg2"' in text
        assert 'fill="url(#lg2)" marker-end="url(#arrow)"' in text
        assert 'xml:space="preserve"' in text
        assert ">Grüße  an  alle</tspan>" in text
        assert "ada" not in text

    def test_rules_are_weighed_as_css_weighs_them(self):
        text = cleaned(CLASSES)
        assert '<rect width="4" height="4" fill="#00ff00" opacity=".5"/>' in text
        path = text.partition('<path id="big"')[2]
        assert 'fill="none"' in path
        assert 'stroke="blue"' in path

    def test_words_stay_as_they_are(self):
        text = cleaned(BY_HAND)
        assert '<text x="5" y="5">One <tspan font-weight="bold">two</tspan>\nthree</text>' in text
        assert "<title>Two &amp; three</title>" in text

    def test_a_link_becomes_a_group_and_a_label_stands_in_for_html(self):
        text = cleaned(
            drawing(
                '<a href="/x"><circle r="2"/></a><switch><foreignObject>x</foreignObject>'
                "<text>Label</text></switch>"
            )
        )
        assert '<g>\n<circle r="2"/>\n</g>' in text
        assert "<text>Label</text>" in text


class TestSizes:
    @pytest.mark.parametrize(
        ("attributes", "size"),
        [
            ('width="120" height="60"', (120, 60)),
            ('width="1in" height="2.54cm"', (96, 96)),
            ('viewBox="0 0 30 10"', (30, 10)),
            ('viewBox="0,0,30,10" width="60"', (60, 20)),
            ('viewBox="0 0 30 10" height="20px"', (60, 20)),
            ('viewBox="0 0 30 10" width="100%"', (30, 10)),
            ('viewBox="0 0 0 10"', (300, 150)),
            ('viewBox="none" width="-4" height="1e999"', (300, 150)),
            ("", (300, 150)),
            ('viewBox="0 0 100000 50000"', (16383, 8192)),
            ('viewBox="0 0 0.1 0.1"', (1, 1)),
        ],
    )
    def test_come_from_the_root(self, attributes, size):
        picture = decode(drawing("", attributes))
        assert (picture.width, picture.height) == size
        assert " viewBox=" in picture.bytes.decode()
        assert decode(picture.bytes) == picture
