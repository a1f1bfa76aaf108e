import io
import os
import random
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from PIL import Image as Pillow
from PIL import ImageCms, PngImagePlugin

from notes.images import (
    ImageRefused,
    ImageTooLarge,
    ImageTypeRefused,
    decode,
    is_clean,
    prepare,
)
from tests.notes.image_files import (
    ANIMATED,
    FORMATS,
    SECRET,
    animation,
    encode,
    exif,
    gradient,
    huge_png,
    mean,
    opened,
    png_chunk,
    swapped_profile,
    transparent_gif,
)


class TestEveryFormat:
    @pytest.mark.parametrize("kind", FORMATS)
    def test_is_written_anew_in_its_own_format(self, kind):
        picture = decode(encode(gradient(), kind))
        assert (picture.format, picture.extension) == (kind, FORMATS[kind])
        assert (picture.width, picture.height, picture.frames) == (60, 30, 1)
        assert opened(picture).format == kind
        assert mean(opened(picture)) == pytest.approx(mean(gradient()), abs=255 * 0.03)

    @pytest.mark.parametrize("kind", FORMATS)
    def test_is_clean_afterwards_and_keeps_its_bytes_from_then_on(self, kind):
        picture = decode(encode(gradient(), kind))
        assert is_clean(picture.bytes)
        assert prepare(picture.bytes, keep_clean=True) == picture

    @pytest.mark.parametrize("kind", FORMATS)
    def test_is_named_by_the_hash_of_what_is_stored(self, kind):
        picture = decode(encode(gradient(), kind))
        assert picture.path == f"figures/{picture.sha256[:32]}.{FORMATS[kind]}"
        assert decode(encode(gradient(), kind)).path == picture.path

    @pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
    def test_is_turned_upright_before_its_exif_goes(self, kind):
        picture = decode(encode(gradient(), kind, exif=exif(orientation=6).tobytes()))
        assert (picture.width, picture.height) == (30, 60)
        image = opened(picture).convert("RGB")
        top, bottom = image.getpixel((15, 5)), image.getpixel((15, 55))
        assert top[0] > 150 > top[2]
        assert bottom[2] > 150 > bottom[0]
        assert not image.getexif()

    @pytest.mark.parametrize("kind", FORMATS)
    def test_loses_what_it_knows_about_its_author(self, kind):
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        text = PngImagePlugin.PngInfo()
        text.add_text("Comment", SECRET.decode())
        text.add_itxt("XML:com.adobe.xmp", SECRET.decode())
        options = {
            "JPEG": {"exif": exif(1), "comment": SECRET, "xmp": SECRET, "icc_profile": profile},
            "PNG": {"exif": exif(1), "pnginfo": text, "icc_profile": profile, "dpi": (300, 300)},
            "WEBP": {"exif": exif(1), "xmp": SECRET, "icc_profile": profile},
            "GIF": {"comment": SECRET},
            "AVIF": {"exif": exif(1), "xmp": SECRET, "icc_profile": profile},
        }[kind]
        data = encode(gradient(), kind, **options)
        assert not is_clean(data)
        picture = prepare(data + SECRET, keep_clean=True)
        assert SECRET not in picture.bytes
        assert b"acsp" not in picture.bytes  # every ICC profile says so
        assert is_clean(picture.bytes)

    @pytest.mark.parametrize("kind", FORMATS)
    def test_loses_what_was_hung_on_behind_its_end(self, kind):
        data = encode(gradient(), kind)
        polyglot = data + b"PK\x03\x04<script>alert(1)</script>"
        assert not is_clean(polyglot)
        assert b"<script>" not in prepare(polyglot, keep_clean=True).bytes

    @pytest.mark.parametrize("kind", FORMATS)
    def test_is_refused_when_cut_short(self, kind):
        random.seed(1)
        noise = Pillow.frombytes("RGB", (64, 64), random.randbytes(64 * 64 * 3))
        data = encode(noise, kind)
        for length in (12, 40, len(data) // 2):
            with pytest.raises(ImageRefused, match="damaged|not a JPEG"):
                decode(data[:length])
            assert not is_clean(data[:length])

    @pytest.mark.parametrize("kind", FORMATS)
    def test_never_fails_with_anything_but_a_refusal(self, kind):
        random.seed(2)
        data = bytearray(animation(kind) if kind in ANIMATED else encode(gradient(), kind))
        for _ in range(150):
            broken = bytearray(data)
            for _ in range(random.randint(1, 8)):
                broken[random.randrange(4, len(broken))] = random.randrange(256)
            try:
                picture = decode(bytes(broken))
            except ImageRefused as refusal:
                assert len(str(refusal)) > 20
            else:
                assert is_clean(picture.bytes)
            is_clean(bytes(broken))


class TestAnimations:
    @pytest.mark.parametrize("kind", ANIMATED)
    def test_keep_moving_at_their_pace(self, kind):
        picture = decode(animation(kind))
        assert picture.frames == 3
        image = opened(picture)
        paces = []
        for number in range(3):
            image.seek(number)
            image.load()
            paces.append(round(image.info["duration"]))
        assert paces == [100, 150, 200]
        if kind != "AVIF":  # which Pillow can't tell
            assert image.info["loop"] == 0
        assert is_clean(picture.bytes)
        assert prepare(picture.bytes, keep_clean=True) == picture

    @pytest.mark.parametrize("kind", ANIMATED)
    def test_are_written_the_same_at_any_time(self, kind, monkeypatch):
        first = decode(animation(kind))
        time.sleep(1.1 if kind == "AVIF" else 0)
        assert decode(animation(kind)) == first

    @pytest.mark.parametrize("kind", ANIMATED)
    def test_keep_their_colours_frame_by_frame(self, kind):
        image = opened(decode(animation(kind)))
        for number, colour in enumerate([(200, 0, 0), (0, 200, 0), (0, 0, 200)]):
            image.seek(number)
            assert mean(image) == pytest.approx(colour, abs=255 * 0.03)

    def test_of_gif_play_once_if_they_did(self):
        pictures = [gradient(), Pillow.new("RGB", (60, 30))]
        data = encode(pictures[0], "GIF", save_all=True, append_images=pictures[1:], duration=100)
        assert "loop" not in opened(decode(data)).info

    @pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
    def test_let_a_pixel_turn_transparent(self, kind):
        full = Pillow.new("RGBA", (20, 20), (255, 0, 0, 255))
        half = full.copy()
        half.paste((0, 0, 0, 0), (0, 0, 10, 20))
        options = {"save_all": True, "append_images": [half], "duration": 100, "loop": 0}
        data = transparent_gif() if kind == "GIF" else encode(full, kind, **options)
        image = opened(decode(data))
        image.seek(1)
        shown = image.convert("RGBA")
        assert shown.getpixel((5, 5))[3] == 0
        assert shown.getpixel((15, 5))[3] == 255

    def test_of_png_keep_the_picture_that_stands_outside_of_them(self):
        outside = Pillow.new("RGB", (20, 20), (9, 9, 9))
        moving = [Pillow.new("RGB", (20, 20), colour) for colour in ((250, 0, 0), (0, 0, 250))]
        options = {"save_all": True, "append_images": moving, "duration": [70, 80]}
        data = encode(outside, "PNG", default_image=True, **options)
        picture = decode(data)
        image = opened(picture)
        assert image.info["default_image"]
        assert image.n_frames == 3
        image.seek(2)
        assert mean(image) == [0, 0, 250]
        assert image.info["duration"] == 80

    def test_with_ten_thousand_frames_are_refused_at_once(self):
        frame = animation("GIF", 2)
        start = frame.index(b"\x21\xf9")
        many = frame[:start] + frame[start:-1] * 5000 + b";"
        began = time.process_time()
        with pytest.raises(ImageTooLarge, match="10000 frames"):
            decode(many)
        assert time.process_time() - began < 0.5

    def test_with_too_many_pixels_in_all_are_refused(self):
        pictures = [Pillow.new("L", (2000, 2000), shade) for shade in range(20)]
        data = encode(pictures[0], "GIF", save_all=True, append_images=pictures[1:], duration=50)
        with pytest.raises(ImageTooLarge, match="60 million pixels in all"):
            decode(data)


class TestColours:
    def test_of_cmyk_come_out_as_rgb(self):
        data = encode(gradient("CMYK"), "JPEG", quality=95)
        picture = prepare(data, keep_clean=True)
        assert opened(picture).mode == "RGB"
        assert mean(opened(picture)) == pytest.approx(mean(gradient()), abs=255 * 0.03)

    def test_of_sixteen_bits_are_kept(self):
        ramp = Pillow.new("I;16", (256, 4))
        for column in range(256):
            for row in range(4):
                ramp.putpixel((column, row), column * 257)
        image = opened(decode(encode(ramp, "PNG")))
        assert [image.getpixel((column, 1)) for column in (0, 100, 255)] == [0, 25700, 65535]

    def test_of_a_palette_with_transparency_are_kept(self):
        image = Pillow.new("RGBA", (20, 10), (0, 120, 0, 255))
        image.paste((0, 0, 0, 0), (0, 0, 10, 10))
        palette = image.quantize(16)
        shown = opened(decode(encode(palette, "PNG"))).convert("RGBA")
        assert shown.getpixel((2, 2))[3] == 0
        assert shown.getpixel((15, 5)) == (0, 120, 0, 255)

    @pytest.mark.parametrize("kind", ["PNG", "WEBP", "AVIF"])
    def test_keep_their_alpha(self, kind):
        image = Pillow.new("RGBA", (20, 10), (200, 0, 0, 128))
        shown = opened(decode(encode(image, kind))).convert("RGBA")
        assert shown.getpixel((5, 5)) == pytest.approx((200, 0, 0, 128), abs=8)

    def test_with_a_profile_of_their_own_are_converted(self):
        plain = Pillow.new("RGB", (10, 10), (200, 100, 20))
        palette = plain.convert("P", palette=Pillow.Palette.ADAPTIVE)
        for image in (plain, palette, plain.convert("RGBA")):
            data = encode(image, "PNG", icc_profile=swapped_profile())
            picture = prepare(data, keep_clean=True)
            shown = opened(picture).convert("RGB").getpixel((5, 5))
            assert shown == pytest.approx((20, 100, 200), abs=3)
            assert b"iCCP" not in picture.bytes

    def test_survive_a_profile_that_is_nonsense(self):
        picture = decode(encode(gradient(), "PNG", icc_profile=b"nonsense"))
        assert mean(opened(picture)) == mean(gradient())

    @pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
    def test_of_every_mode_of_png_are_exact(self, mode):
        image = gradient("L").convert(mode) if mode == "I;16" else gradient(mode)
        shown = opened(decode(encode(image, "PNG")))
        assert shown.convert("RGBA").tobytes() == image.convert("RGBA").tobytes()

    def test_of_a_webp_without_loss_stay_without_loss(self):
        data = encode(gradient(), "WEBP", lossless=True)
        assert opened(decode(data)).tobytes() == gradient().tobytes()

    def test_of_a_camera_lose_next_to_nothing_in_a_second_generation(self):
        data = encode(gradient(size=(64, 64)), "JPEG", quality=70)
        first = Pillow.open(io.BytesIO(data)).convert("RGB")
        again = opened(decode(data))
        assert mean(again) == pytest.approx(mean(first), abs=1)
        assert again.quantization == Pillow.open(io.BytesIO(data)).quantization

    def test_of_noise_at_the_highest_quality_fit_the_encoder(self):
        random.seed(3)
        noise = Pillow.frombytes("RGB", (500, 500), random.randbytes(750_000))
        picture = decode(encode(noise, "JPEG", quality=100, subsampling=0))
        assert (picture.width, picture.height) == (500, 500)

    def test_interlaced_and_thin_pictures_pass(self):
        for size in ((1, 1), (1, 16_000), (16_000, 1)):
            picture = decode(encode(Pillow.new("RGB", size), "PNG"))
            assert (picture.width, picture.height) == size


class TestRefusals:
    def test_of_nothing(self):
        with pytest.raises(ImageRefused, match="empty"):
            decode(b"")

    @pytest.mark.parametrize(
        "data", [b"GIF89a", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP"]
    )
    def test_of_a_bare_signature(self, data):
        with pytest.raises(ImageRefused, match="damaged"):
            decode(data)

    @pytest.mark.parametrize(
        "data",
        [
            b"<!doctype html><script>alert(1)</script>",
            b"%PDF-1.7 ...",
            b"BM" + bytes(100),
            b"\0" * 5000,
            b"hello",
            b"\0\0\0\x18ftypheic\0\0\0\0heicmif1",
        ],
    )
    def test_of_other_types_whatever_the_name(self, data):
        with pytest.raises(ImageTypeRefused, match="JPEG, PNG, WebP, GIF, AVIF or SVG"):
            decode(data)

    def test_of_more_than_ten_megabytes(self):
        with pytest.raises(ImageTooLarge, match="10.1 MB, and an image may have at most 10 MB"):
            decode(encode(gradient(), "PNG") + bytes(10 * 1024 * 1024))

    def test_of_too_many_pixels_from_the_header_alone(self):
        data = huge_png(13_000, 13_000)
        assert len(data) < 100_000
        began = time.process_time()
        with pytest.raises(ImageTooLarge, match="13000 × 13000"):
            decode(data)
        assert time.process_time() - began < 0.5

    @pytest.mark.parametrize("size", [(8000, 5001), (16_384, 1), (100_000, 100_000)])
    def test_of_sizes_that_just_pass_a_limit(self, size):
        header = struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0)
        with pytest.raises(ImageTooLarge, match="40 million"):
            decode(b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", b""))

    def test_take_hardly_any_memory(self):
        """A process that gets 100 MB on top of its libraries refuses the bomb as well."""
        program = (
            "import resource, sys; import notes.images as images; data = sys.stdin.buffer.read();"
            "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize();"
            "resource.setrlimit(resource.RLIMIT_AS, (used + 100_000_000,) * 2)\n"
            "try: images.decode(data)\nexcept images.ImageTooLarge: print('refused')"
        )
        program = "from django.conf import settings; settings.configure(USE_I18N=False);" + program
        root = Path(__file__).parents[2]
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=huge_png(13_000, 13_000),
            capture_output=True,
            cwd=root,
            env=os.environ | {"PYTHONPATH": str(root)},
            check=True,
            timeout=60,
        )
        assert done.stdout.startswith(b"refused")

    def test_of_a_text_chunk_that_unpacks_to_a_bomb(self):
        bomb = png_chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(200_000_000)))
        data = encode(gradient(), "PNG")
        with pytest.raises(ImageRefused):
            decode(data[:33] + bomb + data[33:])
