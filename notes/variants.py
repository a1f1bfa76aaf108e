"""Smaller copies of a picture, made once when it is taken in: WebP, and AVIF where it gains enough.

Each type's copies reach up to the widest that is of use, so that a browser that takes the type
finds every width in it; a copy that is not smaller than a wider one is not kept. How much is tried
is bounded by pixels, not by the clock, so that the same picture has the same copies everywhere.
"""

import io
from dataclasses import dataclass
from typing import Any

from PIL import Image as Pillow

from notes import image_containers
from notes.images import Image

WIDTHS = (640, 1280)
WIDEST = 2560  # more than twice the text's width on the finest screens
APART = 1.25  # a copy nearly as wide as the next serves nobody
SMALL_BYTES = 8 * 1024  # below, the picture itself is soon there
MAX_WEBP_PIXELS = 12_000_000
MAX_AVIF_PIXELS = 8_000_000  # of all widths: about half a second
SMALLER = 0.9  # a copy is kept below this share of the bytes that it saves

TYPES = {"AVIF": "image/avif", "WEBP": "image/webp"}


@dataclass(frozen=True, slots=True)
class MadeVariant:
    """A copy to be stored: `path` carries the hash of the picture that it was made from."""

    path: str
    width: int
    type: str
    bytes: bytes


def make(image: Image) -> tuple[MadeVariant, ...]:
    """The copies of a still picture, the better type first, narrow before wide."""
    if image.format == "SVG" or image.frames > 1 or len(image.bytes) < SMALL_BYTES:
        return ()
    try:
        return _make(image)
    # A copy is no more than a kindness; what can't be encoded goes without.
    except (OSError, ValueError, MemoryError):
        return ()


def _make(image: Image) -> tuple[MadeVariant, ...]:
    with Pillow.open(io.BytesIO(image.bytes), formats=[image.format]) as opened:
        whole = _in_eight_bits(opened)
    widest = min(image.width, WIDEST)
    widths = [*(width for width in WIDTHS if width * APART <= widest), widest]
    if _pixels(whole, [widest]) > MAX_WEBP_PIXELS:
        return ()
    exact = _is_exact(image)
    pictures = {width: _scaled(whole, width) for width in widths}
    webp = _set_of(image, "WEBP", {w: _webp(p, exact, p is whole) for w, p in pictures.items()})
    avif: list[MadeVariant] = []
    if _pixels(whole, widths) <= MAX_AVIF_PIXELS:
        avif = _set_of(image, "AVIF", {w: _avif(p, exact) for w, p in pictures.items()})
        if image.format != "AVIF" and not _is_gain(avif, webp):
            avif = []
    return (*avif, *webp)


def _is_exact(image: Image) -> bool:
    """Whether a picture holds its pixels as they were drawn, as a plot or screenshot does."""
    if image.format == "WEBP":
        return image_containers.is_lossless_webp(image.bytes)
    return image.format in ("PNG", "GIF")


def _set_of(image: Image, kind: str, encoded: dict[int, bytes]) -> list[MadeVariant]:
    """One type's copies, each smaller than every wider one; none if the widest gains nothing."""
    kept = []
    if image.format == kind:
        # The picture itself is the widest of its own type.
        encoded = {width: data for width, data in encoded.items() if width < image.width}
        kept = [MadeVariant(image.path, image.width, TYPES[kind], image.bytes)]
    # Browsers that can't show an AVIF are served by WebP at any price.
    limit: float = float("inf") if image.format == "AVIF" else len(image.bytes)
    for width in sorted(encoded, reverse=True):
        data = encoded[width]
        if len(data) < limit * SMALLER:
            path = f"figures/{image.sha256[:32]}-{width}.{kind.lower()}"
            kept.append(MadeVariant(path, width, TYPES[kind], data))
            limit = len(data)
        elif not kept:
            return []
    return kept[::-1] if len(kept) > (image.format == kind) else []


def _is_gain(avif: list[MadeVariant], webp: list[MadeVariant]) -> bool:
    """Whether every reader of the better type gets less than with the other."""
    most = {variant.width: len(variant.bytes) for variant in webp}
    less = {variant.width: len(variant.bytes) for variant in avif}
    if not webp or not avif:
        return bool(avif)
    is_never_more = all(less[width] < most[width] for width in less.keys() & most.keys())
    return is_never_more and sum(less.values()) < sum(most.values()) * SMALLER


def _pixels(image: Pillow.Image, widths: list[int]) -> int:
    return sum(width * width * image.height // image.width for width in widths)


def _in_eight_bits(image: Pillow.Image) -> Pillow.Image:
    """A picture of any mode as what both types can hold."""
    if image.mode.startswith(("I", "F")):
        image = image.point(lambda value: value * (1 / 256) + 0).convert("L")
    if not image.has_transparency_data:
        return image.convert("RGB")
    image = image.convert("RGBA")
    opaque = image.getchannel("A").getextrema() == (255, 255)
    return image.convert("RGB") if opaque else image


def _scaled(image: Pillow.Image, width: int) -> Pillow.Image:
    if width == image.width:
        return image
    height = max(1, round(image.height * width / image.width))
    return image.resize((width, height), Pillow.Resampling.LANCZOS, reducing_gap=3.0)


def _webp(picture: Pillow.Image, exact: bool, whole: bool) -> bytes:
    """Drawings are softened as little as can be; at their own width they often stay exact."""
    data = _encode(picture, "WEBP", quality=90 if exact else 80, method=4)
    if exact and whole:
        data = min(data, _encode(picture, "WEBP", lossless=True, quality=75, method=4), key=len)
    return data


def _avif(picture: Pillow.Image, exact: bool) -> bytes:
    if exact:  # whole colour for thin lines; at speed 10 drawings take twice the bytes
        return _encode(picture, "AVIF", quality=75, speed=8, subsampling="4:4:4")
    return _encode(picture, "AVIF", quality=60, speed=10)


def _encode(picture: Pillow.Image, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    picture.save(file, format=kind, icc_profile=b"", exif=b"", **options)
    return file.getvalue()
