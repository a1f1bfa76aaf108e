"""What every fuzzer holds against a rendering: it ends, harms nobody, and says the same twice.

As a program it is atheris's target: `python -m tests.long.fuzzing -max_total_time=600`.
"""

from __future__ import annotations

import os
import re
import sys

from tests.notes.markdown.elements import ADDRESSES, assert_harmless, parsed

# Beginnings, ends and middles of every construct; fuzzers put them together.
PIECES = (
    "a", " ", "\n", "\n\n", "    ", "\t", "*", "**", "_", "~", "~~", "^", "`", "```",
    "````\n", "~~~\n", "# ", "## The problem\n", "## Take-aways\n", "- ", "1. ", "> ",
    "> [!NOTE] ", "> [!TIP]- ", "| a | b |\n", "|--|:-:|\n", ": caption {#tbl:x}\n",
    ": a\n", "[", "]", "](", ")", "[a](b)", "![", "![a](figures/plot)",
    '![a](figures/plot "c"){#fig:x}', "[^1]", "[^1]: ", "^[", "[[", "]]", "[[known|",
    "[@ng", "; @many", "@fig:x", "@eq:x", "-@", "{.small}", "{#sec:x}", "{", "}", "$", "$$",
    "\\(", "\\)", "\\[", "\\]", "\\begin{align}", "\\end{align}", "\\label{eq:x}",
    "\\eqref{eq:x}", "\\frac{", "\\def\\a{\\a\\a}\\a", "x^2", "<", ">", "<b>", "</b>",
    "<div>", "</div>", "<!--", "-->", "<script>", "</script>", "<title>", "<svg>", "<math>",
    "<table><td>", "<details>", "<summary>", "<a href=", "javascript:", "data:text/html,",
    "onerror=", "style=", '"', "'", "&lt;", "&#0;", "&", "\\", "\0", "\ufdd0", "\ufdd1",
    "\u202e", "\u2028", "\ufeff", "中文。", "مرحبا", "👩‍🚀", "e\u0301", "http://a.b/",
    "www.a.b", "a@b.c", "---\n", "===\n", "[x]: /y\n", "[x]", "TODO", "the the", "%",
    "{{ x }}", "{% x %}",
)  # fmt: skip


# What the site adds itself to what authors may write.
ADDED_ATTRIBUTES = {
    "aria-label", "aria-level", "disabled", "loading", "role", "tabindex", "type",
}  # fmt: skip
IN_FORMULAS = {
    "accent", "accentunder", "annotation", "arg", "class", "columnalign", "columnspacing",
    "columnspan", "depth", "dir", "display", "displaystyle", "encoding", "fence", "form",
    "height", "id", "largeop", "linethickness", "lspace", "mathsize", "mathvariant", "maxsize",
    "minsize", "movablelimits", "notation", "rowspacing", "rowspan", "rspace", "scriptlevel",
    "separator", "stretchy", "symmetric", "tabindex", "voffset", "width", "xmlns",
}  # fmt: skip
FORMULA_ELEMENT = re.compile(r"math|semantics|annotation|m[a-z]+")
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
SCHEMES = {"http", "https", "mailto", "tel", "ftp"}


def assert_allowed(html: str) -> None:
    """Every element, attribute and scheme is one that we know."""
    from notes.markdown.elements import ALLOWED
    from notes.markdown.sanitize import ATTRIBUTES

    for element in parsed(html).find_all(True):
        if element.name == "math" or element.find_parent("math"):
            assert FORMULA_ELEMENT.fullmatch(element.name), element.name
            assert set(element.attrs) <= IN_FORMULAS, element.attrs
            continue
        known = ATTRIBUTES["*"] | ATTRIBUTES.get(element.name, set()) | ADDED_ATTRIBUTES
        assert element.name in ALLOWED, element.name
        assert set(element.attrs) <= known, (element.name, element.attrs)
        for name in ADDRESSES:
            scheme = SCHEME.match(str(element.attrs.get(name, "")).strip())
            assert scheme is None or scheme[1].lower() in SCHEMES, element.attrs


def check(source: str) -> None:
    """Render, and look at what came out."""
    from notes.markdown import FigureFile, Inputs, ReferenceEntry, place, render
    from notes.markdown.sanitize import sanitize

    inputs = Inputs(
        figures={"plot": FigureFile("plot", "figures/ab12.webp", 640, 480, alt="A plot")},
        references={
            key: ReferenceEntry(key, (key,), (key,), "2020", f"On <b>{key}</b>")
            for key in ("ng", "many")
        },
    )
    rendered = render(source, inputs)
    html = str(place(rendered.html))
    assert_harmless(html)
    assert_allowed(html)
    assert render(source, inputs) == rendered
    once = sanitize(source)
    assert sanitize(once) == once


def main() -> None:
    """Let atheris watch our code and the parser's while it looks for texts."""
    import atheris
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    with atheris.instrument_imports(include=["notes.markdown", "markdown_it", "mdit_py_plugins"]):
        django.setup()
        import notes.markdown  # noqa: F401

    def one_input(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        text = []
        while provider.remaining_bytes() > 2 and len(text) < 200:
            if provider.ConsumeBool():
                text.append(PIECES[provider.ConsumeIntInRange(0, len(PIECES) - 1)])
            else:
                text.append(provider.ConsumeUnicodeNoSurrogates(4))
        check("".join(text))

    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
