"""The copies of a picture: what is made, that it looks the same, and what is left out."""

import io
import time

import pytest
from PIL import Image as Pillow
from PIL import ImageStat

from notes.images import EXTENSIONS, decode, is_clean
from notes.variants import SMALL_BYTES, MadeVariant, make
from tests.notes.image_files import (
    ANIMATED,
    SECRET,
    animation,
    drawing,
    encode,
    exif,
    mean,
    photo,
)


def opened(copy: MadeVariant) -> Pillow.Image:
    image = Pillow.open(io.BytesIO(copy.bytes))
    image.load()
    return image


def widths_of(copies: tuple[MadeVariant, ...], kind: str) -> list[int]:
    return [copy.width for copy in copies if copy.type == f"image/{kind}"]


def copies_of(image: Pillow.Image, kind: str = "PNG", **options) -> tuple[MadeVariant, ...]:
    copies = make(decode(encode(image, kind, **options)))
    assert copies
    return copies


class TestCopies:
    def test_reach_from_the_narrowest_to_the_pictures_own_width(self):
        copies = copies_of(photo((1700, 1100)), "JPEG", quality=90)
        assert widths_of(copies, "webp") == [640, 1280, 1700]

    def test_of_a_very_wide_picture_end_where_no_screen_gains_more(self):
        copies = copies_of(photo((3200, 900)), "JPEG", quality=90)
        assert widths_of(copies, "webp") == [640, 1280, 2560]

    @pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
    def test_are_smaller_than_every_wider_one_of_their_type(self, kind):
        picture = decode(encode(drawing(1), kind))
        copies = make(picture)
        assert copies
        for type_ in {copy.type for copy in copies}:
            sizes = [len(copy.bytes) for copy in copies if copy.type == type_]
            assert sizes == sorted(sizes)
            if kind != "AVIF":
                assert sizes[-1] <= len(picture.bytes)

    @pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
    def test_are_what_they_say(self, kind):
        picture = decode(encode(drawing(1), kind))
        for copy in make(picture):
            image = opened(copy)
            assert f"image/{image.format.lower()}" == copy.type
            assert image.width == copy.width
            assert image.height == pytest.approx(copy.width * picture.height / picture.width, abs=1)
            ending = EXTENSIONS[image.format]
            own = f"figures/{picture.sha256[:32]}.{ending}"
            assert copy.path in (f"figures/{picture.sha256[:32]}-{copy.width}.{ending}", own)

    def test_begin_with_the_better_type_and_it_is_the_smaller_one(self):
        copies = copies_of(photo(), "JPEG", quality=92)
        assert [copy.type for copy in copies] == sorted(copy.type for copy in copies)
        total = {
            kind: sum(len(copy.bytes) for copy in copies if copy.type == f"image/{kind}")
            for kind in ("avif", "webp")
        }
        assert 0 < total["avif"] < total["webp"]

    def test_of_its_own_type_have_the_picture_itself_as_the_widest(self):
        picture = decode(encode(photo(), "WEBP", quality=60))
        own = [copy for copy in make(picture) if copy.type == "image/webp"][-1]
        assert (own.path, own.bytes) == (picture.path, picture.bytes)

    def test_of_an_avif_serve_browsers_that_do_not_know_it(self):
        copies = copies_of(photo(), "AVIF", quality=50)
        assert widths_of(copies, "webp")[-1] == 1000

    def test_are_the_same_at_any_time(self):
        assert copies_of(drawing(1)) == copies_of(drawing(1))

    def test_carry_nothing_of_their_author(self):
        data = encode(photo(), "JPEG", exif=exif(1), comment=SECRET)
        for copy in make(decode(data)):
            assert SECRET not in copy.bytes
            assert is_clean(copy.bytes)

    def test_of_a_drawing_stay_exact_at_its_own_width(self):
        whole = drawing(1)
        copies = [copy for copy in copies_of(whole) if copy.type == "image/webp"]
        assert opened(copies[-1]).convert("RGB").tobytes() == whole.tobytes()


class TestColours:
    @pytest.mark.parametrize(
        ("mode", "kind"),
        [
            ("CMYK", "JPEG"),
            ("L", "JPEG"),
            ("RGB", "JPEG"),
            ("1", "PNG"),
            ("L", "PNG"),
            ("RGBA", "PNG"),
            ("P", "GIF"),
            ("RGB", "AVIF"),
        ],
    )
    def test_are_those_of_the_picture(self, mode, kind):
        image = photo(mode=mode)
        for copy in copies_of(image, kind):
            assert mean(opened(copy)) == pytest.approx(mean(image), abs=255 * 0.03)

    def test_of_a_palette_are_those_of_the_picture(self):
        image = drawing(1).quantize(64)
        for copy in copies_of(image):
            assert mean(opened(copy)) == pytest.approx(mean(image), abs=255 * 0.03)

    def test_of_sixteen_bits_are_not_burnt_out(self):
        values = Pillow.effect_noise((1000, 600), 50)
        deep = Pillow.frombytes(
            "I;16", values.size, b"".join(bytes((0, value)) for value in values.tobytes())
        )
        for copy in copies_of(deep):
            grey = ImageStat.Stat(opened(copy).convert("L")).mean[0]
            assert grey == pytest.approx(ImageStat.Stat(values).mean[0], abs=255 * 0.03)

    @pytest.mark.parametrize("mode", ["P", "RGBA"])
    def test_keep_what_is_transparent(self, mode):
        image = drawing(1, mode="RGBA")
        image.paste((0, 0, 0, 0), (0, 0, 470, 600))
        image = image.quantize(64) if mode == "P" else image
        for copy in copies_of(image):
            shown = opened(copy).convert("RGBA")
            middle = shown.height // 2
            assert shown.getpixel((shown.width // 10, middle))[3] == 0
            assert shown.getpixel((shown.width * 9 // 10, middle))[3] >= 250

    @pytest.mark.parametrize("kind", ["JPEG", "PNG"])
    def test_stand_upright_as_the_picture_does(self, kind):
        image = photo()
        for copy in copies_of(image, kind, exif=exif(orientation=6).tobytes()):
            shown = opened(copy).convert("RGB")
            assert shown.height > shown.width
            assert not shown.getexif()
            # What was left is at the top now.
            third = shown.height // 3 - 4
            top = ImageStat.Stat(shown.crop((0, 0, shown.width, third))).mean
            assert top[0] > top[2] + 60


class TestNone:
    @pytest.mark.parametrize("kind", ANIMATED)
    def test_for_what_moves(self, kind):
        picture = decode(animation(kind))
        assert picture.frames == 3
        assert make(picture) == ()

    def test_for_a_moving_picture_of_any_size(self):
        frames = [drawing(seed, (700, 500)) for seed in range(3)]
        data = encode(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=100)
        picture = decode(data)
        assert len(picture.bytes) > SMALL_BYTES
        assert make(picture) == ()

    def test_for_a_small_file(self):
        picture = decode(encode(Pillow.new("RGB", (2000, 1000)), "PNG"))
        assert len(picture.bytes) < SMALL_BYTES
        assert make(picture) == ()

    def test_where_none_would_be_smaller(self):
        noise = Pillow.effect_noise((1000, 700), 80)
        assert make(decode(encode(noise, "JPEG", quality=20))) == ()

    @pytest.mark.parametrize("size", [(1, 16_000), (16_000, 1), (3, 9000)])
    def test_break_on_thin_pictures(self, size):
        noise = Pillow.effect_noise(size, 90)
        for copy in make(decode(encode(noise, "PNG"))):
            assert opened(copy).width == copy.width

    def test_take_long_for_forty_million_pixels(self):
        picture = decode(encode(Pillow.effect_noise((2000, 16_000), 20), "JPEG", quality=30))
        began = time.process_time()
        assert make(picture) == ()
        assert time.process_time() - began < 2
