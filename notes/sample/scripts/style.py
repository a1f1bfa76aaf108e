"""The one visual style of the sample library's figures.

Figures stand on paper of their own, so that they read on a light and on a dark page, and are set
for the width of a phone: 1400 pixels shrunk to 390 still leave the lettering at eleven.
"""

from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PIL import Image

FIGURES = Path(__file__).resolve().parents[1] / "figures"

PAPER = "#fbfaf7"
INK = "#22201c"
QUIET = "#6a665e"
RULE = "#dedad0"

# From the palette of Okabe and Ito; each colour always comes with a marker or a dash of its own.
BLUE = "#0072b2"
VERMILION = "#c44e00"
GREEN = "#00735a"

WIDTH_INCHES = 7.0
DOTS_PER_INCH = 200

SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 15,
    "axes.labelsize": 15,
    "axes.titlesize": 15,
    "xtick.labelsize": 15,
    "ytick.labelsize": 15,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": QUIET,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.facecolor": PAPER,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 1.2,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": RULE,
    "grid.linewidth": 1.0,
    "lines.linewidth": 2.6,
    "lines.markersize": 9,
    "lines.solid_capstyle": "round",
    "xtick.major.size": 6,
    "ytick.major.size": 0,
}


def panels(rows: int, height: float) -> tuple[Figure, list[Axes]]:
    """Return a figure of `rows` panels above each other that share their horizontal axis."""
    plt.rcParams.update(SETTINGS)
    figure, axes = plt.subplots(
        rows,
        1,
        figsize=(WIDTH_INCHES, height),
        dpi=DOTS_PER_INCH,
        sharex=True,
        squeeze=False,
        layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12),
    )
    return figure, list(axes[:, 0])


def heading(axes: Axes, text: str) -> None:
    """Say above the panel what its vertical axis measures, so that no text stands on its side."""
    axes.set_title(text, loc="left", color=INK, pad=14, fontweight="bold")


def save(figure: Figure, name: str) -> Path:
    """Write the figure as a PNG of pixels and nothing else, so that equal runs give equal bytes."""
    drawn = BytesIO()
    figure.savefig(drawn, format="png", metadata={"Software": None})
    plt.close(figure)
    drawn.seek(0)
    with Image.open(drawn) as opened:
        pixels = opened.convert("RGB")
    pixels.info.clear()
    target = FIGURES / name
    target.parent.mkdir(parents=True, exist_ok=True)
    pixels.save(target, "PNG", optimize=True)
    return target
