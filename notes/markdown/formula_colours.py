r"""Colours of formulas, `\color{ForestGreen}`, brought to a palette: with a dark theme, no
free colour can stay.
"""

import re

COLOUR = re.compile(r"\\(text)?color\s*(?:\[([A-Za-z]+)\]\s*)?\{\s*([^{}\\]{1,60}?)\s*\}")
PALETTE = {
    "black": (0, 0, 0),
    "grey": (128, 128, 128),
    "white": (255, 255, 255),
    "red": (255, 0, 0),
    "orange": (255, 128, 0),
    "yellow": (255, 255, 0),
    "green": (0, 128, 0),
    "teal": (0, 128, 128),
    "blue": (0, 0, 255),
    "purple": (128, 0, 128),
    "magenta": (255, 0, 255),
    "brown": (128, 64, 0),
}
# The hue that a name speaks of: `ForestGreen`, `blueviolet`, `darkgrey`.
HUES = {
    "black": "black",
    "white": "white",
    "grey": "gray",
    "gray": "gray",
    "silver": "gray",
    "red": "red",
    "crimson": "red",
    "tomato": "red",
    "maroon": "red",
    "orange": "orange",
    "coral": "orange",
    "salmon": "orange",
    "gold": "orange",
    "yellow": "yellow",
    "khaki": "yellow",
    "green": "green",
    "lime": "green",
    "olive": "green",
    "teal": "teal",
    "cyan": "teal",
    "aqua": "teal",
    "turquoise": "teal",
    "blue": "blue",
    "navy": "blue",
    "purple": "purple",
    "violet": "purple",
    "indigo": "purple",
    "orchid": "purple",
    "magenta": "magenta",
    "fuchsia": "magenta",
    "pink": "magenta",
    "plum": "magenta",
    "brown": "brown",
    "chocolate": "brown",
    "sienna": "brown",
}
HUE = re.compile(f".*({'|'.join(HUES)})")


def named(match: re.Match[str]) -> str:
    """A colour by a name that the typesetter knows; those of no known hue are left to it."""
    command, model, value = f"\\{match[1] or ''}color", match[2], match[3]
    if name := hue_of(model, value):
        return f"{command}{{{name}}}"
    return match[0]


def hue_of(model: str | None, value: str) -> str:
    """`#228B22`, `0.1,0.5,0.1` of `rgb`, `ForestGreen` → `green`."""
    if match := re.fullmatch(r"#?([0-9a-fA-F]{6}|[0-9a-fA-F]{3})", value):
        digits = match[1] if len(match[1]) == 6 else "".join(digit * 2 for digit in match[1])
        return nearest_colour(digits).replace("grey", "gray")
    if model in ("rgb", "RGB", "gray"):
        scale = 1 if model == "RGB" else 255
        try:
            numbers = [min(255, max(0, round(float(one) * scale))) for one in value.split(",")]
        except (ValueError, OverflowError):
            return ""
        numbers = numbers * 3 if len(numbers) == 1 else numbers
        if len(numbers) != 3:
            return ""
        return nearest_colour(bytes(numbers).hex()).replace("grey", "gray")
    match = HUE.match(value.lower())
    return HUES[match[1]] if match else ""


def nearest_colour(hexadecimal: str) -> str:
    """The nearest colour of our palette."""
    wanted = tuple(int(hexadecimal[place : place + 2], 16) for place in (0, 2, 4))
    return min(
        PALETTE,
        key=lambda name: sum((a - b) ** 2 for a, b in zip(wanted, PALETTE[name], strict=True)),
    )
