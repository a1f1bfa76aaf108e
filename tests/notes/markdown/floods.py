"""Texts that make parsers slow: cmark's pathological families, and one of each mark of ours."""

from collections.abc import Callable

REPEATED = (
    "**a ", "*a_ ", "a** ", "a_ ", "a*b_ ", "*a **b", "[a](", "a](", "[a](b", "[](", "[", "![",
    "[![", "![](", "^[", "^[a]", "[^", "[^a", "[[", "[[a|", "[@a", "[@a;", "@a ", "a@b ", "$a",
    "$ a ", "\\(", "\\[", "\\begin{a}", "~a ", "~~a ", "^a ", "==a ", "{.a ", "]{.a ", "[x]{",
    "'a ", '"a ', "`", "```", "~~~\n", ">", "> a\n", "- ", "- a\n", "1. ", "| a ", "|-|\n",
    "a | b\n", ": a\n", ":::a\n", "# a\n", "<a ", "<a b=", "<http:", "http://(", "www.a", "<!--",
    "<!A ", "<?", "<![CDATA[", "<title>", "</title>", "<div>", "<table><td>", "<svg><b>", "&a",
    "&amp;", "\\", "\0", "\u202e", "a\n\n", "\n", "[a]: b\n", "[^1]: x\n", "[!NOTE]\n",
    "> [!NOTE]\n", "x_x_", "http://a)", "TODO ", "[ (](", "![[]()", "[a](<b", '[a](b "', "[[a]]",
    "*b* ", "[@a [", "]", "@{a ", "<b>", "<T>", "<details>\n\n", "# a\n", "a\n=\n", "a\n: b\n\n",
    "```js\n`${", "> # a\nb\n", "><script># a\nstyle===\n",
)  # fmt: skip


def repeated(unit: str, size: int) -> str:
    return unit * (size // len(unit))


def backticks(size: int) -> str:
    """Runs of every length, so that no run finds its end."""
    return "".join("e" + "`" * length for length in range(1, int((2 * size) ** 0.5)))


def footnotes(size: int) -> str:
    count = size // 16
    calls = "".join(f"[^{number}]" for number in range(count))
    return calls + "\n\n" + "".join(f"[^{number}]: x\n" for number in range(count))


def definitions(size: int) -> str:
    """Many link references, each used: cmark's own family on hash collisions is of this kind."""
    count = size // 20
    return "".join(f"[{n}]: u{n}\n" for n in range(count)) + "".join(
        f"[{n}] " for n in range(count)
    )


def deep_list(size: int) -> str:
    return "".join("  " * depth + "* a\n" for depth in range(int(size**0.5)))


def repeats(what: str, use: str) -> Callable[[int], str]:
    """Half of the text is one long thing, the other half asks for it again and again."""

    def build(size: int) -> str:
        half = size // 2
        paragraph = (use + " ") * 1000 + "\n\n"
        return what.replace("LONG", "u" * half) + "\n\n" + repeated(paragraph, half)

    return build


def macro(size: int) -> str:
    """A formula's length is bounded, and one name stands for as much as that."""
    uses = "$\\a$ " * ((size - 5000) // 5)
    return "$$\\newcommand{\\a}{" + "x+" * 2400 + "}$$\n\n" + uses


BUILT: dict[str, Callable[[int], str]] = {
    "brackets that close": lambda size: "[" * (size // 2) + "a" + "]" * (size // 2),
    "notes that close": lambda size: "^[" * (size // 3) + "a" + "]" * (size // 3),
    "images that close": lambda size: "![" * (size // 6) + "a" + "](b)" * (size // 6),
    "emphasis that closes": lambda size: "*a **a " * (size // 14) + "b" + " a** a*" * (size // 14),
    "unequal delimiters": lambda size: "*~_" * (size // 6) + "a" + "**" * (size // 6),
    "parentheses of an address": lambda size: "http://a" + ")" * size,
    "backticks of every length": backticks,
    "footnotes, each called": footnotes,
    "references, each used": definitions,
    "list in list": deep_list,
    "empty lines below deep lists": lambda size: "- " * (size // 3) + "a" + "\n" * (size // 3),
    "emphasis in deep quotes": lambda size: ">" * (size // 2) + "a*" * (size // 4),
    "links to a long address": repeats("[a]: /LONG", "[a]"),
    "images of a long address": repeats("[a]: /LONG", "![a]"),
    "links with a long title": repeats('[a]: /b "LONG"', "[a][a]"),
    "references to a long heading": repeats("# LONG {#sec:x}", "@sec:x"),
    "references to one of many headings": lambda size: (
        "# a {#sec:x}\n\n"
        + "# b\n\n" * (size // 10)
        + ("@sec:x " * 1000 + "\n\n") * (size // 14000)
    ),
    "references to a long caption": repeats('![a](figures/b "LONG"){#fig:x}', "@fig:x"),
    "calls of a long footnote": repeats("[^1]: LONG", "[^1]"),
    "uses of a long macro": macro,
    "lines that deep quotes may hold": lambda size: ">" * 100 + repeated("[x]: /y\n", size),
    "quotes in quotes": lambda size: ">" * size + "a",
    "one long word": lambda size: "a" * size,
    "one long line of a table": lambda size: "|" * (size // 2) + "\n" + "|-" * (size // 4),
    "rows of a wide table": lambda size: (
        ("|a" * 100 + "\n" + "|-" * 100 + "\n") + ("|b" * 100 + "\n") * (size // 201)
    ),
}


def families() -> dict[str, Callable[[int], str]]:
    """Each family by name: a function of the size in bytes."""
    return {repr(unit): (lambda size, unit=unit: repeated(unit, size)) for unit in REPEATED} | BUILT
