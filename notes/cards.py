"""Social cards: what a link to a page looks like where it is shared, drawn with Pillow.

A card is 1,200 × 630 px, as Open Graph's readers expect. It is drawn when it is first asked for and
kept under the hash of what it shows, so another title is another file and nothing is ever stale.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings
from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
EDGE = 84
DRAWN_BY = 1  # raised when the drawing changes
PAPER, INK, QUIET, RULE = "#fbfaf7", "#12110f", "#5c574e", "#d9d4c8"
TITLE_SIZES = range(84, 43, -4)
MOST_TITLE_LINES, TITLE_HEIGHT = 5, 300
SERIF, ITALIC, SANS = "stix-two-text", "stix-two-text-italic", "notesite-sans"
NOT_A_CHARACTER = "\uffff"

# What may stand at the end of a line: a word, or one sign of a script that has no spaces.
_UNIT = re.compile(
    r"[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff]+|\s+"
)


@dataclass(frozen=True, slots=True)
class Card:
    """What a card shows: the site above, the title, and in a line below what kind of page it is."""

    site: str
    title: str
    label: str
    accent: str

    @property
    def digest(self) -> str:
        shown = json.dumps([DRAWN_BY, asdict(self)], sort_keys=True)
        return hashlib.sha256(shown.encode()).hexdigest()[:32]


def picture_of(card: Card) -> bytes:
    """The card as PNG, from the folder of cards or drawn into it."""
    path = Path(settings.CARDS_ROOT) / f"{card.digest}.png"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        pass
    content = draw(card)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Whoever reads finds a whole file or none.
    with NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
        file.write(content)
    Path(file.name).replace(path)
    return content


def draw(card: Card) -> bytes:
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    canvas = ImageDraw.Draw(image)
    _line(canvas, card.site, SERIF, 34, EDGE + 26, QUIET)
    canvas.line([(EDGE, EDGE + 56), (WIDTH - EDGE, EDGE + 56)], fill=RULE, width=2)
    _title(canvas, card.title) or _title(canvas, card.site)
    _parts(canvas, card.accent)
    _line(canvas, card.label, SANS, 30, HEIGHT - EDGE, QUIET, start=EDGE + 150)
    buffer = BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _title(canvas: ImageDraw.ImageDraw, title: str) -> bool:
    """As large as it fits; whether it could be set: the fonts at hand may lack its letters."""
    found = _fitted(title)
    if found is None:
        return False
    font, lines, step = found
    baseline = EDGE + 100 + round(font.size * 0.8)
    for place, line in enumerate(lines):
        _draw_line(canvas, line, font, baseline + place * step, INK)
    return True


def _fitted(title: str) -> tuple[ImageFont.FreeTypeFont, list[str], int] | None:
    """The largest font in which a title fits, its lines, and their step; cut in the smallest."""
    for size in TITLE_SIZES:
        font = font_for(title, SERIF, size, weight=500)
        if font is None:
            return None
        lines, step = list(wrapped(title, font, WIDTH - 2 * EDGE)), round(size * 1.14)
        found = font, lines[:MOST_TITLE_LINES], step
        if len(lines) <= MOST_TITLE_LINES and len(lines) * step <= TITLE_HEIGHT:
            return found
    found[1][-1] += "…"
    return found


def _parts(canvas: ImageDraw.ImageDraw, accent: str) -> None:
    """The four marks of a note's anatomy, which is the site's own sign."""
    for place in range(4):
        left = EDGE + place * 30
        box = [(left, HEIGHT - EDGE - 40), (left + 18, HEIGHT - EDGE + 4)]
        canvas.rectangle(box, fill=accent if place == 2 else None, outline=accent, width=3)


def _line(
    canvas: ImageDraw.ImageDraw,
    text: str,
    face: str,
    size: int,
    baseline: int,
    colour: str,
    *,
    start: int = EDGE,
) -> None:
    """One line, cut where it ends."""
    font = font_for(text, face, size)
    if font is None:
        return
    room = WIDTH - EDGE - start
    shown = next(wrapped(text, font, room), "")
    if shown != text.strip():
        shown = f"{shown.rstrip()}…"
    _draw_line(canvas, shown, font, baseline, colour, start=start)


def _draw_line(
    canvas: ImageDraw.ImageDraw,
    text: str,
    font: ImageFont.FreeTypeFont,
    baseline: int,
    colour: str,
    *,
    start: int = EDGE,
) -> None:
    """From the left, or from the right where the script runs from there."""
    if is_right_to_left(text):
        canvas.text((WIDTH - EDGE, baseline), text, colour, font, anchor="rs")
    else:
        canvas.text((start, baseline), text, colour, font, anchor="ls")


def wrapped(text: str, font: ImageFont.FreeTypeFont, room: int) -> Iterator[str]:
    """Lines of ``text`` no wider than ``room``; a word that is wider is broken."""
    line = ""
    for unit in _units(text, font, room):
        if line and font.getlength(f"{line}{unit}".rstrip()) > room:
            yield line.rstrip()
            line = ""
        line += unit if line else unit.lstrip()
    if line.strip():
        yield line.rstrip()


def _units(text: str, font: ImageFont.FreeTypeFont, room: int) -> Iterator[str]:
    for unit in _UNIT.findall(text):
        while font.getlength(unit) > room:
            fitting = next(n for n in range(len(unit), 0, -1) if font.getlength(unit[:n]) <= room)
            yield unit[:fitting]
            unit = unit[fitting:]
        yield unit


def is_right_to_left(text: str) -> bool:
    """By its first letter of a script that runs one way, as `dir="auto"` decides."""
    found = re.search("[A-Za-z\u00c0-\u058f\u0900-\uffdc]|[\u0590-\u08ff]", text)
    return bool(found and "\u0590" <= found[0] <= "\u08ff")


def font_for(
    text: str, face: str, size: int, *, weight: int = 400
) -> ImageFont.FreeTypeFont | None:
    """Our own face if it has every letter of ``text``, else one that the system has, else None."""
    own = ImageFont.truetype(settings.BASE_DIR / "static" / "fonts" / f"{face}.woff2", size)
    own.set_variation_by_axes([weight])
    missing = letters_missing(text, own)
    if not missing:
        return own
    for file, index in system_fonts(missing):
        font = ImageFont.truetype(file, size, index=index)
        if not letters_missing(text, font):
            return font
    return None


def letters_missing(text: str, font: ImageFont.FreeTypeFont) -> str:
    """The letters that would be drawn as the font's empty box."""
    box = bytes(font.getmask(NOT_A_CHARACTER))
    letters = sorted({letter for letter in text if letter.isprintable() and not letter.isspace()})
    return "".join(letter for letter in letters if bytes(font.getmask(letter)) == box)


@lru_cache(maxsize=256)
def system_fonts(letters: str) -> tuple[tuple[str, int], ...]:
    """Fonts that fontconfig names for ``letters``, best first; none without fontconfig."""
    wanted = " ".join(f"{ord(letter):x}" for letter in letters[:200])
    command = ["fc-match", "--sort", "--format=%{file}\t%{index}\n", f"serif:charset={wanted}"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ()
    rows = (line.split("\t") for line in found.stdout.splitlines()[:8])
    return tuple(
        (file, int(index)) for file, index in rows if file.endswith((".ttf", ".otf", ".ttc"))
    )
