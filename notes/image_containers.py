"""Walks through image files, box by box, without decoding a pixel.

Each walk is strict: what it does not know is metadata, and a byte that belongs to nothing is too.
"""

import zlib
from collections.abc import Iterator

PNG_CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"acTL", b"fcTL", b"fdAT"}
WEBP_CHUNKS = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"}
WEBP_METADATA_FLAGS = 0b00101100  # ICC profile, EXIF, XMP in the VP8X chunk

# Of AVIF: what describes pixels. `Exif` and `mime` items, `udta` and `uuid` boxes are not here.
AVIF_CONTAINERS = frozenset(b"iprp ipco moov trak edts mdia minf dinf stbl".split())
AVIF_LEAVES = frozenset(
    b"ftyp mdat idat hdlr pitm iloc iinf iref ipma ispe pixi av1C auxC colr pasp clap irot imir "
    b"mvhd tkhd tref elst mdhd vmhd dref stsd stts stsc stsz stco co64 stss".split()
)

AVIF_TIMED = {b"mvhd", b"tkhd", b"mdhd"}


class NotStructural(ValueError):
    """The walk met something that is not part of the picture, or does not fit together."""


def is_clean(kind: str, data: bytes) -> bool:
    """Say whether a file of that format holds structure and pixels only."""
    walks = {
        "AVIF": _walk_avif,
        "GIF": _walk_gif,
        "JPEG": _walk_jpeg,
        "PNG": _walk_png,
        "WEBP": _walk_webp,
    }
    try:
        walks[kind](data)
    except (NotStructural, IndexError):
        return False
    return True


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise NotStructural(what)


def _walk_png(data: bytes) -> None:
    position = 8
    name = b""
    while position < len(data):
        _require(name != b"IEND", "bytes after the end")
        length = int.from_bytes(data[position : position + 4])
        name = data[position + 4 : position + 8]
        end = position + 12 + length
        _require(name in PNG_CHUNKS and end <= len(data), "an unknown or cut chunk")
        _require(
            zlib.crc32(data[position + 4 : end - 4]) == int.from_bytes(data[end - 4 : end]),
            "a wrong checksum",
        )
        position = end
    _require(name == b"IEND", "no end")


def _walk_jpeg(data: bytes) -> None:
    position = 2
    while True:
        _require(data[position] == 0xFF, "bytes between segments")
        marker = data[position + 1]
        position += 2
        if marker == 0xD9:  # end of image
            break
        length = int.from_bytes(data[position : position + 2])
        segment = data[position + 2 : position + length]
        _require(length >= 2 and len(segment) == length - 2, "a cut segment")
        _require(_is_structural_segment(marker, segment), "a segment of metadata")
        position += length
        if marker == 0xDA:  # a scan follows
            position = _end_of_scan(data, position)
    _require(position == len(data), "bytes after the end")


def _is_structural_segment(marker: int, segment: bytes) -> bool:
    if marker == 0xE0:  # JFIF, without a thumbnail
        return segment.startswith(b"JFIF\0") and len(segment) == 14 and segment[12:] == b"\0\0"
    if marker == 0xEE:  # Adobe's: says how the colours are stored
        return segment.startswith(b"Adobe") and len(segment) == 12
    frame = 0xC0 <= marker <= 0xCF and marker != 0xC8  # SOF, DHT, DAC
    return frame or marker in (0xDA, 0xDB, 0xDD)


def _end_of_scan(data: bytes, position: int) -> int:
    """Return where the next marker stands that is neither stuffing nor a restart."""
    while True:
        position = data.find(b"\xff", position)
        _require(0 <= position < len(data) - 1, "a cut scan")
        if data[position + 1] == 0 or 0xD0 <= data[position + 1] <= 0xD7:
            position += 2
        else:
            return position


def _gif_blocks(data: bytes) -> Iterator[tuple[str, int]]:
    """Yield (kind of block, where it starts) until the trailer or the end of the data."""

    def colour_table(flags: int) -> int:
        return 3 << ((flags & 7) + 1) if flags & 0x80 else 0

    position = 13 + colour_table(data[10])
    while position < len(data):
        start = position
        if data[position] == 0x3B:
            yield "trailer", start
            return
        if data[position] == 0x2C:
            yield "image", start
            position += 11 + colour_table(data[position + 9])
        elif data[position] == 0x21:
            yield "extension", start
            position += 2
        else:
            raise NotStructural("an unknown block")
        while data[position]:
            position += data[position] + 1
        position += 1


def count_gif_frames(data: bytes) -> int:
    """Count the pictures in a GIF, also in one that is cut short."""
    count = 0
    try:
        for kind, _position in _gif_blocks(data):
            count += kind == "image"
    except (NotStructural, IndexError):
        pass  # decoding will say what is wrong with the rest
    return count


def _walk_gif(data: bytes) -> None:
    kind, position = "", 0
    for kind, position in _gif_blocks(data):
        if kind == "extension":
            block = data[position + 1 : position + 19]
            timing = block[:2] == b"\xf9\x04" and block[6] == 0
            loop = block[:13] == b"\xff\x0bNETSCAPE2.0" and block[17] == 0
            _require(timing or loop, "a comment or an application's block")
    _require(kind == "trailer" and position == len(data) - 1, "bytes after the end")


def _webp_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = 12
    while position < len(data):
        length = int.from_bytes(data[position + 4 : position + 8], "little")
        content = data[position + 8 : position + 8 + length]
        _require(len(content) == length, "a cut chunk")
        yield data[position : position + 4], content
        position += 8 + length + length % 2


def _walk_webp(data: bytes) -> None:
    _require(int.from_bytes(data[4:8], "little") == len(data) - 8, "bytes after the end")
    for name, content in _webp_chunks(data):
        _require(name in WEBP_CHUNKS, "a chunk of metadata")
        _require(name != b"VP8X" or not content[0] & WEBP_METADATA_FLAGS, "metadata is announced")
        if name == b"ANMF":
            for inner, _content in _webp_chunks(b"\0" * 12 + content[16:]):
                _require(inner in (b"ALPH", b"VP8 ", b"VP8L"), "a chunk of metadata in a frame")


def is_lossless_webp(data: bytes) -> bool:
    """Say whether the pictures in a WebP are stored without loss."""
    try:
        return any(
            name == b"VP8L" or (name == b"ANMF" and b"VP8L" in (content[16:20], content[24:28]))
            for name, content in _webp_chunks(data)
        )
    except NotStructural:
        return False


def _walk_avif(data: bytes) -> None:
    boxes = list(_avif_boxes(data, 0, len(data)))
    stores = [name for name, _start, _end in boxes if name == b"mdat"]
    _require(len(stores) == 1, "not one store of data")
    for name, start, end in boxes:
        if name == b"iinf":
            entries = start + (6 if data[start] == 0 else 8)
            for _name, item, _end in _avif_boxes(data, entries, end, frozenset({b"infe"})):
                # version, flags, number (two or four bytes), protection, type
                kind = item + (12 if data[item] == 3 else 8)
                _require(data[kind : kind + 4] == b"av01", "an item of metadata")
        if name == b"colr":
            _require(data[start : start + 4] == b"nclx", "a colour profile")
        if name == b"hdlr":
            handler = data[start + 8 : start + 12]
            _require(handler in (b"pict", b"auxv"), "a track that is no picture")
        if name in AVIF_TIMED:
            _require(not any(data[slice(*_times(data, start))]), "a time")


def _times(data: bytes, start: int) -> tuple[int, int]:
    """Return where a header box of a track holds its times of creation and change."""
    return start + 4, start + (20 if data[start] == 1 else 12)


def without_times(data: bytes) -> bytes:
    """Blank the times that an encoder writes into an animated AVIF."""
    blanked = bytearray(data)
    for name, start, _end in _avif_boxes(data, 0, len(data)):
        if name in AVIF_TIMED:
            first, last = _times(data, start)
            blanked[first:last] = bytes(last - first)
    return bytes(blanked)


def _avif_boxes(
    data: bytes, position: int, end: int, leaves: frozenset[bytes] = AVIF_LEAVES
) -> Iterator[tuple[bytes, int, int]]:
    """Yield (name, start, end of the content) of every box that holds no boxes."""
    while position < end:
        length = int.from_bytes(data[position : position + 4])
        name = data[position + 4 : position + 8]
        stop = position + length
        _require(length >= 8 and stop <= end, "a cut box")
        if name in AVIF_CONTAINERS and leaves is AVIF_LEAVES:
            yield from _avif_boxes(data, position + 8, stop)
        elif name == b"meta" and leaves is AVIF_LEAVES:
            yield from _avif_boxes(data, position + 12, stop)
        else:
            _require(name in leaves, "an unknown box")
            yield name, position + 8, stop
        position = stop
