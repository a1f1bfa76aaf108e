import struct

import pytest

from notes.images import ImageRefused, is_clean, prepare
from tests.notes.image_files import encode, gradient, png_chunk


class TestCleanliness:
    def test_knows_metadata_in_each_container(self):
        png, jpeg = encode(gradient(), "PNG"), encode(gradient(), "JPEG")
        webp, gif = encode(gradient(), "WEBP"), encode(gradient(), "GIF")
        assert not is_clean(png[:33] + png_chunk(b"tEXt", b"a\0b") + png[33:])
        assert not is_clean(png[:33] + png_chunk(b"prVt", b"") + png[33:])
        assert not is_clean(jpeg[:2] + b"\xff\xfe\x00\x05abc" + jpeg[2:])
        assert not is_clean(jpeg[:2] + b"\xff\xe5\x00\x05abc" + jpeg[2:])
        assert not is_clean(gif[:-1] + b"\x21\xfe\x03abc\0;")
        assert not is_clean(gif[:-1] + b"\x21\xff\x0bXMP DataXMP\x03abc\0;")
        longer = webp + b"XMP \x02\0\0\0ab"
        assert not is_clean(longer[:4] + struct.pack("<I", len(longer) - 8) + longer[8:])

    def test_notices_a_wrong_checksum(self):
        data = bytearray(encode(gradient(), "PNG"))
        data[-1] ^= 1
        assert not is_clean(bytes(data))

    def test_takes_a_progressive_jpeg(self):
        assert is_clean(encode(gradient(), "JPEG", progressive=True))

    def test_is_said_of_images_only(self):
        assert not is_clean(b"")
        assert not is_clean(b"<svg/>")

    def test_does_not_keep_a_clean_file_that_is_broken(self):
        data = encode(gradient(), "PNG")
        start = data.index(b"IDAT") - 4
        broken = data[:start] + png_chunk(b"IDAT", b"nonsense") + png_chunk(b"IEND", b"")
        assert is_clean(broken)
        with pytest.raises(ImageRefused, match="damaged"):
            prepare(broken, keep_clean=True)
