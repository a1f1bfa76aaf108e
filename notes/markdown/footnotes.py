"""Footnotes: `[^1]` with `[^1]: text`, and `^[inline]`; numbered by first call, listed at the end.

Ids are constant: `fn-1` the note, `fn-1-ref` its first call, `fn-1-ref-2` the next.
"""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote.index import footnote_def, footnote_inline

from notes.markdown import bounds
from notes.markdown.work import Work, children_of

CALL = re.compile(r"\[\^([^\]\[\s]{1,200})\]")
DEFINITION = re.compile(r"\[\^([^\]\s]+)\]:")


def extend(markdown: MarkdownIt) -> None:
    """Definitions before link references, calls before links."""
    markdown.block.ruler.before(
        "reference", "footnote_def", definition, {"alt": ["paragraph", "reference"]}
    )
    markdown.inline.ruler.before("link", "footnote_inline", inline_note)
    markdown.inline.ruler.before("link", "footnote_call", call)
    markdown.add_render_rule("footnote_call", render_call)
    markdown.add_render_rule("footnotes_open", render_open)
    markdown.add_render_rule("footnotes_close", render_close)
    markdown.add_render_rule("footnote_open", render_note_open)
    markdown.add_render_rule("footnote_close", render_note_close)
    markdown.add_render_rule("footnote_back", render_back)


def definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`[^label]: text`; a call in other letters, `[^Label]`, finds it too, as on GitHub."""
    first = state.bMarks[start] + state.tShift[start]
    if not footnote_def(state, start, end, silent):
        return False
    if not silent and (match := DEFINITION.match(state.src, first)):
        state.env.setdefault("footnote_labels", {}).setdefault(match[1].casefold(), match[1])
    return True


def call(state: StateInline, silent: bool) -> bool:
    """`[^label]`, where the label is defined."""
    if not state.src.startswith("[^", state.pos):
        return False
    match = CALL.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    defined = state.env.get("footnotes", {}).get("refs", {})
    labels = state.env.get("footnote_labels", {})
    label = match[1] if ":" + match[1] in defined else labels.get(match[1].casefold())
    if label is None:
        return False
    if not silent:
        token = state.push("footnote_call", "", 0)
        token.meta = {"label": label}
    state.pos = match.end()
    return True


def inline_note(state: StateInline, silent: bool) -> bool:
    """`^[text]`: the library finds its end, the note's words become the call's children."""
    if not state.src.startswith("^[", state.pos):
        return False
    work: Work = state.env["work"]
    if work.inline_notes >= bounds.INLINE_NOTES:
        line = work.line_of(state.src[state.pos : state.pos + 200])
        what = "The text has too many footnotes"
        work.problems.add("past-bound", line, what=what, limit=bounds.INLINE_NOTES)
        return False
    found: bool = footnote_inline(state, silent)
    if found and not silent:
        work.inline_notes += 1
        token = state.tokens[-1]
        note = state.env["footnotes"]["list"].pop(token.meta["id"])
        token.type = "footnote_call"
        token.children = note["tokens"]
        token.meta = {"label": None}
    return found


def gather(work: Work) -> None:
    """Move the notes to the end, in the order of their first calls."""
    body, definitions = split(work)
    numbers: dict[str, int] = {}
    calls: list[int] = []
    notes: list[list[Token]] = []
    queue = calls_in(body)
    position = 0
    while position < len(queue):
        block, token = queue[position]
        position += 1
        label = token.meta["label"]
        if label is None or label not in numbers:
            notes.append(paragraph(block, token) if label is None else definitions.get(label, []))
            calls.append(0)
            if label is not None:
                numbers[label] = len(notes)
                queue += calls_in(notes[-1])
        number = len(notes) if label is None else numbers[label]
        calls[number - 1] += 1
        token.meta |= {"number": number, "call": calls[number - 1]}
    for label, tokens in definitions.items():
        if label not in numbers:
            line = next((token.map[0] + 1 for token in tokens if token.map), 1)
            work.problems.add("unused-footnote", line, label=label)
    work.tokens = body + (listed(notes, calls) if notes else [])


def split(work: Work) -> tuple[list[Token], dict[str, list[Token]]]:
    """The running text, and the tokens of each label's first definition."""
    body: list[Token] = []
    definitions: dict[str, list[Token]] = {}
    open_notes: list[list[Token]] = []
    for index, token in enumerate(work.tokens):
        if token.type == "footnote_reference_open":
            label = token.meta["label"]
            if label in definitions:
                line = next(
                    (one.map[0] + 1 for one in work.tokens[index : index + 3] if one.map), 1
                )
                work.problems.add("repeated-footnote", line, label=label)
            own: list[Token] = []
            definitions.setdefault(label, own)
            open_notes.append(own)
        elif token.type == "footnote_reference_close":
            open_notes.pop()
        else:
            (open_notes[-1] if open_notes else body).append(token)
    return body, definitions


def calls_in(tokens: list[Token]) -> list[tuple[Token, Token]]:
    """Every call, with the block that it stands in; a figure's caption comes with its image."""
    found: list[tuple[Token, Token]] = []
    for block in tokens:
        found += [pair for pair in children_of([block]) if pair[1].type == "footnote_call"]
        for child in block.children or ():
            if "caption" in child.meta:
                found += calls_in([child.meta["caption"]])
    return found


def paragraph(block: Token, token: Token) -> list[Token]:
    """An inline note's words as a block; the call keeps none of them."""
    opening, inline, closing = (
        Token("paragraph_open", "p", 1, block=True),
        Token("inline", "", 0, children=token.children, content=block.content, map=block.map),
        Token("paragraph_close", "p", -1, block=True),
    )
    token.children = None
    return [opening, inline, closing]


def listed(notes: list[list[Token]], calls: list[int]) -> list[Token]:
    """The notes as one list, each with a way back to every call."""
    tokens = [Token("footnotes_open", "section", 1)]
    for number, (note, count) in enumerate(zip(notes, calls, strict=True), start=1):
        back = [
            Token("footnote_back", "a", 0, meta={"number": number, "call": one})
            for one in range(1, count + 1)
        ]
        inside = note[:-1] + back + note[-1:] if ends_in_paragraph(note) else note + back
        tokens += [Token("footnote_open", "li", 1, meta={"number": number}), *inside]
        tokens.append(Token("footnote_close", "li", -1))
    return [*tokens, Token("footnotes_close", "section", -1)]


def ends_in_paragraph(note: list[Token]) -> bool:
    return bool(note) and note[-1].type == "paragraph_close"


def id_of_call(meta: dict[str, int]) -> str:
    """`fn-1-ref`, then `fn-1-ref-2`."""
    suffix = f"-{meta['call']}" if meta["call"] > 1 else ""
    return f"fn-{meta['number']}-ref{suffix}"


def render_call(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    meta, marker = tokens[index].meta, env["work"].marker
    if "number" not in meta:  # inside an image's alternative text or a note that nothing calls
        return ""
    number = meta["number"]
    return (
        f'<sup><a class="{marker}footnote-ref" id="{marker}{id_of_call(meta)}" '
        f'href="#fn-{number}">{number}</a></sup>'
    )


def render_open(
    _renderer: object, _tokens: Sequence[Token], _index: int, _options: object, env: dict[str, Work]
) -> str:
    return f'<section class="{env["work"].marker}footnotes">\n<ol>\n'


def render_close(*_arguments: object) -> str:
    return "</ol>\n</section>\n"


def render_note_open(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    return f'<li id="{env["work"].marker}fn-{tokens[index].meta["number"]}">'


def render_note_close(*_arguments: object) -> str:
    return "</li>\n"


def render_back(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    marker = env["work"].marker
    return f' <a class="{marker}footnote-back" href="#{id_of_call(tokens[index].meta)}">↩\ufe0e</a>'
