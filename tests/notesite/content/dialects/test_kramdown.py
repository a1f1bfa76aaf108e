"""kramdown with Liquid in it, as notesite's Markdown."""

from __future__ import annotations

import time

import pytest
from bs4 import BeautifulSoup

from notes.markdown import render
from notesite.content.dialects.jekyll_pictures import Pictures
from notesite.content.dialects.kramdown import Body, Surroundings, automatic_id
from notesite.content.folder import SourceFolder
from notesite.content.report import Outcome, Report
from tests.notesite.content.folders import temporary_folder, write_files
from tests.notesite.content.generated import png


def converted(text: str, report: Report | None = None) -> str:
    with temporary_folder() as folder:
        write_files(folder, {"assets/ratio.png": png((1, 1, 1))})
        around = Surroundings(
            slugs={"2025-01-10-base": "base"},
            addresses={},
            origin="https://blog.example",
            baseurl="",
            pictures=Pictures(SourceFolder(folder)),
        )
        body = Body(around, "_posts/2025-03-04-a.md", 5, "The title", report or Report())
        return body.convert(text)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # Formulas: within a line, alone, in a list, before a digit, with a dollar inside.
        ("so $$\\rho = \\pi$$ stays\n", "so $\\rho = \\pi$ stays\n"),
        ("$$ x $$ starts a line\n", "$x$ starts a line\n"),
        ("over\n$$a\nb$$ two lines\n", "over\n$a b$ two lines\n"),
        ("$$\nx_1 * y_1\n$$\n", "$$\nx_1 * y_1\n$$\n"),
        ("* $$x$$\n", "* $$x$$\n"),
        ("* if $$x$$\n", "* if $x$\n"),
        ("$$x$$2 times\n", "\\(x\\)2 times\n"),
        ("\\\\(a_1\\\\) and \\\\[b\\\\]\n", "\\(a_1\\) and \\[b\\]\n"),
        ("$5 and $10\n", "$5 and $10\n"),
        ("| $$a$$ | $$b$$ |\n", "| $a$ | $b$ |\n"),
        ("is:\n$$\na\n\nb\n$$\nThus\n", "is:\n$$\na\nb\n$$\nThus\n"),
        # Tables: GFM wants a header, and one rule.
        ("| a | b |\n| c | d |\n", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n"),
        ("|---|---|\n| a | b |\n", "|  |  |\n| --- | --- |\n| a | b |\n"),
        (
            "| a | b |\n|:--|--:|\n| c | d |\n|---+---|\n| e | f |\n",
            "| a | b |\n|:--|--:|\n| c | d |\n| e | f |\n",
        ),
        ("```\n\n| a |\n| b |\n```\n", "```\n\n| a |\n| b |\n```\n"),
        ("|x| is\n|y| small\n", "|x| is\n|y| small\n"),
        # Code stays byte for byte.
        ("`$$x$$ {{ y }} {% z %}`\n", "`$$x$$ {{ y }} {% z %}`\n"),
        ("``a ` {: b}``\n", "``a ` {: b}``\n"),
        ("```\n{% raw %} $$x$$\n{: .a}\n```\n", "```\n{% raw %} $$x$$\n{: .a}\n```\n"),
        ("~~~ liquid\n{{ x }}\n```\n~~~\n$$a$$ b\n", "~~~ liquid\n{{ x }}\n```\n~~~\n$a$ b\n"),
        ("- item\n\n  ```\n  {{ x }}\n  ```\n", "- item\n\n  ```\n  {{ x }}\n  ```\n"),
        ("```\n{{ never closed }}\n", "```\n{{ never closed }}\n"),
        # Liquid.
        (
            "{% highlight python linenos %}\na = `b`\n{% endhighlight %}\n",
            "```python\na = `b`\n```\n",
        ),
        ("{%- highlight md -%}\n```\n{%- endhighlight -%}\n", "````md\n```\n````\n"),
        ("{% raw %}{{ shown }}{% endraw %}!\n", "{{ shown }}!\n"),
        ("a{% comment %} not this {% endcomment %}b\n", "ab\n"),
        ("[a]({% post_url 2025-01-10-base %})\n", "[a](/notes/base/)\n"),
        ("[a][b]\n\n[b]: {% post_url 2025-01-10-base %}\n", "[a][b]\n\n[b]: /notes/base/\n"),
        ("[a](https://x.org/a_(b)) c\n", "[a](https://x.org/a_(b)) c\n"),
        ("{{ page.title }} of {{ site.author }}\n", "The title of {{ site.author }}\n"),
        (
            '{% include figure.html path="assets/ratio.png" caption="It *drifts*." %}\n',
            '![](figures/ratio.png "It *drifts*.")\n',
        ),
        (
            "![a [b] $$c$$](https://blog.example/assets/ratio.png)\n",
            "![a [b] $c$](figures/ratio.png)\n",
        ),
        # kramdown's own marks.
        ("* TOC\n{:toc}\n\n## A\n", "\n\n## A\n"),
        ("1. anything\n{:toc .wide}\nx\n", "\nx\n"),
        ('Text.\n{: .notice style="a" #b}\nMore.\n', "Text.\n\nMore.\n"),
        ('*a*{: .b} and [c](d:e){:target="_blank"}.\n', "*a* and [c](d:e).\n"),
        ('{::options toc_levels="1" /}\nx\n', "\nx\n"),
        ("{::comment}\nno\n{:/comment}\nx\n", "\nx\n"),
        ("The first.\n\n<!--more-->\n\nRest\n", "The first.\n\n\n\nRest\n"),
        ("# The title\n\nText\n", "\nText\n"),
        ("*[HTML]: Hypertext\n", "\n"),
        ("Term\n: definition {x} {:y\n", "Term\n: definition {x} {:y\n"),
        ("a\n\n<br />\n![](/assets/ratio.png)\n", "a\n\n\n![](figures/ratio.png)\n"),
        ('<a name="x"/>Text\n', '<span id="x"></span>Text\n'),
    ],
)
def test_what_a_body_becomes(source: str, expected: str):
    assert converted(source) == expected


CODE = "{% highlight python %}"
END = "{% endhighlight %}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # Indented in a list item, with its code indented too or at the margin.
        (
            f"- a\n\n  {CODE}\n  x = 1\n\n    y\n  {END}\n\nAfter\n",
            "- a\n\n  ```python\n  x = 1\n\n    y\n  ```\n\nAfter\n",
        ),
        (
            f"* a\n    * b\n\n        {CODE}\nx = 1\n{END}\n\nAfter\n",
            "* a\n    * b\n\n        ```python\n        x = 1\n        ```\n\nAfter\n",
        ),
        # Beside a list item's mark, beside text, before text.
        (f"1. {CODE}x{END}\n2. b\n", "1. ```python\n   x\n   ```\n2. b\n"),
        (f"So {CODE}x{END} and *on*\n", "So \n```python\nx\n```\n and *on*\n"),
        (f"- So {CODE}\nx\n{END} on\n", "- So \n  ```python\n  x\n  ```\n   on\n"),
        (f"{CODE}x{END}{CODE}y{END}\n", "```python\nx\n```\n\n```python\ny\n```\n"),
        # In a quote, below an element, too far in for a fence, in a definition.
        (f"> {CODE}\n> x\n>\n> y\n> {END}\nz\n", "> ```python\n> x\n>\n> y\n> ```\nz\n"),
        (f"<div>\n{CODE}\n<b>\n\n{END}\n</div>\n", "<div>\n\n```python\n<b>\n```\n</div>\n"),
        (f"    {CODE}\nx\n    {END}\nAfter\n", "    \n```python\nx\n```\nAfter\n"),
        (f"T\n: D\n\n  {CODE}x{END}\n", "T\n: D\n\n  ```python\n  x\n  ```\n"),
        # No language that a fence can say; Liquid's own escape within.
        (
            "{% highlight a`b %}{% raw %}{{ x }}{% endraw %}{% endhighlight %}\n",
            "```a\n{{ x }}\n```\n",
        ),
        # A fence behind a list item's number is one, and a table after it is seen.
        (
            "1. ```\n   {{ x }}\n   ```\n\n| a |\n| b |\n",
            "1. ```\n   {{ x }}\n   ```\n\n|  |\n| --- |\n| a |\n| b |\n",
        ),
    ],
)
def test_a_fence_begins_and_ends_where_its_block_stands(source: str, expected: str):
    report = Report()
    assert converted(source, report) == expected
    assert not report.entries
    html = render(expected).html
    assert html.count("<pre") == expected.count("```") // 2
    assert "```" not in html


@pytest.mark.parametrize(
    "before_and_after",
    [
        ("<div>a\nb\n", "\n</div>\n"),
        ("| a | b |\n|---|---|\n| c | ", " |\n"),
        ("<table><tr><td>\nx\n", "\n</td></tr></table>\n"),
    ],
)
def test_code_where_no_block_can_stand_takes_nothing_along_and_is_said(before_and_after):
    before, after = before_and_after
    report = Report()
    code = "if a | b:\n\n    *c* = `<d>`\n\n```\n"
    source = converted(f"{before}{CODE}\n{code}{END}{after}\n## Next\n\nA *word*.\n", report)
    html = render(source).html
    assert '<h2 id="s-next">Next</h2>\n<p>A <em>word</em>.</p>' in html
    assert BeautifulSoup(html, "html.parser").find("pre").get_text() == code.rstrip("\n")
    line = 5 + before.count("\n")
    assert [(entry.outcome, entry.line) for entry in report.entries] == [(Outcome.LOST, line)]


def test_what_is_never_closed_takes_nothing_along_and_is_said():
    report = Report()
    source = converted(f"a\n\n{CODE}\nx\n\n## Next\n", report)
    assert source.endswith("\n\n## Next\n") and "```" not in source
    assert [(entry.outcome, entry.line) for entry in report.entries] == [(Outcome.LOST, 7)]


def test_what_only_jekyll_knows_stays_to_be_seen_and_is_said_at_its_line():
    report = Report()
    source = "one\n\n{% gist 123 %}\n\n{{ site.data.x | map: 'y' }}\n{: .a}\n\nx\n{: .b}\n"
    assert "{% gist 123 %}" in converted(source, report)
    assert [(entry.outcome, entry.line) for entry in report.entries] == [
        (Outcome.LOST, 7),
        (Outcome.LOST, 9),
        (Outcome.NOTICE, 10),
    ]
    assert "2 × dropped: attribute lists" in report.as_text()


@pytest.mark.parametrize(
    "hostile",
    [
        "{%" * 20_000,
        "{{" * 20_000,
        "$$" * 19_999,
        "`" * 20_001,
        "![" * 20_000,
        "](" * 20_000,
        "[" * 20_000 + "](x)",
        "``` " * 10_000,
        "\\\\(" * 10_000,
        "{: " * 20_000,
        "{% highlight x %}" * 3_000,
        "{% raw %}" * 4_000,
        "<img " * 10_000,
        "<a name=x " * 5_000,
        "# a {#" * 5_000,
        "![a](" + "(" * 20_000,
        "~~~\n" * 10_000,
        "`a " * 10_000,
        "](" + "{{a}}" * 40 + " x",
        "{% comment %}" * 3_000,
        "{::comment}" * 3_000,
        "# a" + " " * 40_000 + "\n",
        "<img " + "a" * 40_000 + ">",
        f"{CODE}x{END} " * 1_000,
        f"- {CODE}x{END}\n" * 1_000,
        f"<b>\nx\n{CODE}\n\n```\n{END}\n" * 500,
        "- " * 20_000 + f"{CODE}x{END}",
    ],
)
def test_a_hostile_body_takes_no_longer_than_a_long_one(hostile: str):
    start = time.process_time()
    converted(hostile)
    assert time.process_time() - start < 5


def test_headings_have_the_ids_that_kramdown_gave_them():
    assert automatic_id("SAC: Soft Actor-Critic (2018)") == "sac-soft-actor-critic-2018"
    assert automatic_id("ε-Greedy Algorithm") == "ε-greedy-algorithm"
