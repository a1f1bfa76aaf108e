"""What every fuzzer holds against a rendering: it ends, harms nobody, and says the same twice.

As a program it is atheris's target: `python -m tests.long.fuzzing -max_total_time=600`.
"""

from __future__ import annotations

import os
import sys

from tests.notes.markdown.elements import assert_harmless

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
