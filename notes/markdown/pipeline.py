"""The stages of a note, in their order, and `render()`, which runs them."""

import html

from notes.markdown import (
    anatomy,
    bounds,
    citations,
    cross_references,
    figures,
    footnotes,
    headings,
    links,
    math,
    parser,
    wording_checks,
)
from notes.markdown.assemble import Assembled, Assembly
from notes.markdown.sanitize import sanitize
from notes.markdown.values import Inputs, Part, Rendered
from notes.markdown.work import Work

# Raised with every change of what comes out; stored notes below it are rendered anew.
RENDERER_VERSION = 3

STAGES = (
    parser.parse,  # text to tokens: math before escapes, so TeX keeps its backslashes
    figures.read_captions,  # before footnotes: captions call some
    footnotes.gather,  # before formulas and figures are counted: notes come last
    figures.wrap,  # before formulas: captions hold some
    citations.cite,  # after both: captions and footnotes cite too
    links.check,
    math.typeset,  # before headings: their text shows formulas readable
    cross_references.link,  # after formulas, which number themselves
    headings.number,  # before anatomy, which reads the levels and texts
    anatomy.check,
    anatomy.mark_take_aways,
    wording_checks.check_take_aways,
)

DEFAULTS = Inputs()


def render(source: str, inputs: Inputs = DEFAULTS) -> Rendered:
    """Markdown to everything that is stored of it; never raises for what an author can write."""
    work = Work.begin(source, inputs)
    size = len(work.source.encode())
    if size > bounds.SOURCE_BYTES:
        return as_plain_text(work, "The text has too many bytes", bounds.SOURCE_BYTES)
    if work.source.count("\n") > bounds.SOURCE_LINES:
        return as_plain_text(work, "The text has too many lines", bounds.SOURCE_LINES)
    for stage in STAGES:
        stage(work)
    markup = parser.parser().renderer.render(work.tokens, parser.parser().options, work.env)
    if len(markup) > bounds.OUTPUT_BYTES:
        return as_plain_text(work, "The text makes too large a page", bounds.OUTPUT_BYTES)
    assembly = Assembly(work)
    found = assembly.walk(sanitize(markup))
    wording_checks.check_anchors(work, assembly.ids)
    if len(found.html) > bounds.OUTPUT_BYTES:
        return as_plain_text(work, "The text makes too large a page", bounds.OUTPUT_BYTES)
    return rendered(work, found)


def as_plain_text(work: Work, what: str, limit: int) -> Rendered:
    """A note past a bound keeps its words, in paragraphs."""
    plain = Work.begin(work.source, work.inputs)
    plain.problems.add("past-bound", 1, what=what, limit=limit)
    paragraphs = plain.source.split("\n\n")
    markup = "\n".join(f"<p>{html.escape(one)}</p>" for one in paragraphs if one.strip())
    return rendered(plain, Assembly(plain).walk(sanitize(markup)))


def rendered(work: Work, found: Assembled) -> Rendered:
    """The value that is stored."""
    return Rendered(
        html=found.html,
        sections=found.sections,
        contents=tuple(work.headings),
        anatomy=tuple(
            Part(one.part, one.anchor, found.words.get(one.part, 0))
            for one in work.headings
            if one.part
        ),
        takeaways=found.take_aways,
        anchors=tuple((one.text, one.anchor) for one in work.headings),
        citations=tuple(work.citations),
        links=tuple(work.links),
        sentences=found.sentences,
        figures=tuple(work.figures),
        problems=work.problems.sorted(),
        words=found.all_words,
        cjk=found.cjk,
        has_math=bool(work.formulas),
    )
