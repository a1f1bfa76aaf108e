"""Citations: `[@key]`, `[see @a, p. 3; @b]`, `[-@key]`, and bare `@key` where the key exists,
also as `@key [p. 3]`.

A call is `<a class="citation" href="#c-KEY" id="cite-KEY-1">`; the list of what is cited stands at
the note's end. A short text has no list: its calls lead to the references' own pages, as far as
these are public when a page is built, and are stored as

    <a class="citation" data-reference="MARKkey">

`@fig:…`, `@tbl:…`, `@eq:…` and `@sec:…` are cross-references and read here too,
because both share their brackets.
"""

import html as escaping
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml, normalizeReference
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from notes.markdown import reference_list
from notes.markdown.roots import REFERENCE_LINK, REFERENCE_MARK
from notes.markdown.values import ReferenceEntry
from notes.markdown.work import Work, line_in

RUN = r"""[^\s{}()\[\],;=#%~\\"'@]{1,100}"""
# A letter before it makes an e-mail address of it, a slash part of an address.
CALL = re.compile(rf"(?<![A-Za-z0-9._+/=\\@-])(-?)@({RUN})")
BRACKETS = re.compile(r"\[[^\[\]]{2,2000}\]")
HIDDEN = re.compile(r"`[^`]*`|\$(?=\S)[^$]*(?<=\S)\$|<[^<>]*>|https?://\S+|\\.")
LABEL = re.compile(r"(?:fig|tbl|eq|sec):\w(?:[\w:.-]*\w)?")
LOCATOR = re.compile(
    r"[ ]?\[((?:\d|§|(?:pp?|chs?|chap|secs?|figs?|eqs?|vol|nos?|ll?|nn?|para|part)\.?[ ]\d)"
    r"[^\[\]\n`$<>@*]{0,100})\](?![\[(])"
)
CLOSING = ".:!?/*_…–—-+&<>|`$^"  # may stand after a key, and not be part of it


def extend(markdown: MarkdownIt) -> None:
    """After links, so that `[@key](address)` and a defined `[@key]` stay links."""
    markdown.inline.add_terminator_char(";")  # else plain text runs on past the end of an item
    markdown.inline.ruler.after("link", "citation", bracketed)
    markdown.inline.ruler.after("citation", "bare_citation", bare)
    markdown.add_render_rule("citation", render_call)
    markdown.add_render_rule("references_open", render_open)
    markdown.add_render_rule("references_close", render_close)
    markdown.add_render_rule("reference", render_reference)


def candidates(run: str) -> Iterator[str]:
    """The keys that a run of characters may be: `smith2020.` → `smith2020.`, `smith2020`."""
    yield run
    yield run.rstrip(CLOSING)
    if (ascii_run := re.match("[!-~]*", run)) and ascii_run[0] != run:
        yield ascii_run[0]
        yield ascii_run[0].rstrip(CLOSING)


def keys_in(source: str) -> set[str]:
    """Every key that a text may name: what to look up before it is rendered."""
    return {key for call in CALL.finditer(source) for key in candidates(call[2]) if key}


def key_of(run: str, references: Mapping[str, ReferenceEntry]) -> str:
    """The key that exists, or else the likeliest one."""
    known = (key for key in candidates(run) if key in references)
    return next(known, run.rstrip(CLOSING))


def bracketed(state: StateInline, silent: bool) -> bool:
    """`[see @a, p. 3; -@b]`: each item up to the last semicolon before the next."""
    # Silent is the search for a link's end, in whose text nothing is cited.
    if silent or state.linkLevel or state.src[state.pos] != "[":
        return False
    match = BRACKETS.match(state.src, state.pos, state.posMax)
    if match is None or "@" not in match[0]:
        return False
    start, end = match.start() + 1, match.end() - 1
    hidden = HIDDEN.sub(lambda found: "x" * len(found[0]), match[0][1:-1])
    items = items_in(hidden, start, end)
    if not items:
        return False
    push_group(state, match[0], items)
    state.pos = match.end()
    return True


class Item:
    """One item of a group: where it begins and ends, and its call."""

    def __init__(self, call: re.Match[str], offset: int, begin: int, end: int) -> None:
        self.begin, self.end = begin, end
        self.call_begin, self.run = offset + call.start(), call[2]
        self.run_begin = offset + call.start(2)
        self.short = bool(call[1])

    def key(self, references: Mapping[str, ReferenceEntry]) -> str:
        return key_of(self.run, references)

    def label(self) -> str:
        label = LABEL.match(self.run)
        return label[0] if label else ""


def items_in(hidden: str, start: int, end: int) -> list[Item]:
    """The items of a group's text, in which code and formulas have been hidden."""
    calls: list[re.Match[str]] = []
    begins: list[int] = []
    for call in CALL.finditer(hidden):
        if not call[2].rstrip(CLOSING):
            continue
        cut = hidden.rfind(";", calls[-1].end(), call.start()) if calls else 0
        if cut >= 0:
            begins.append(cut + bool(calls))
            calls.append(call)
    if not calls:
        return []
    ends = [begin - 1 for begin in begins[1:]] + [end - start]
    return [
        Item(call, start, start + begin, start + stop)
        for call, begin, stop in zip(calls, begins, ends, strict=True)
    ]


def push_group(state: StateInline, source: str, items: list[Item]) -> None:
    """A group's tokens: brackets as the style has them, texts around the calls as inline text."""
    work: Work = state.env["work"]
    references = work.inputs.references
    numbered = work.inputs.citation_style == "numbered"
    citing = [item for item in items if not item.label()]
    if citing == items and not any(item.key(references) in references for item in items):
        push_unknown(state, source, [item.key(references) for item in items])
        return
    if citing:
        state.pending += "[" if numbered else "("
    for number, item in enumerate(items):
        if number:
            state.pending += ", " if numbered or not citing else "; "
        push_item(state, item, source if len(items) == 1 else "")
    if citing:
        state.pending += "]" if numbered else ")"


def push_item(state: StateInline, item: Item, source: str) -> None:
    """`see @key, p. 3`: inline text, the call, inline text."""
    work: Work = state.env["work"]
    begin = item.begin
    while begin < item.call_begin and state.src[begin].isspace():
        begin += 1
    push_text(state, begin, item.call_begin)
    named = item.label() or item.key(work.inputs.references)
    if item.label():
        token = state.push("cross_reference", "a", 0)
        bare_source = state.src[item.call_begin : item.run_begin + len(named)]
        alone = begin == item.call_begin and item.run_begin + len(named) == item.end
        token.content = source if source and alone else bare_source
        token.meta = {"label": named, "short": item.short, "position": item.call_begin}
    elif named in work.inputs.references:
        form = "year" if item.short else "in-brackets"
        push_call(state, named, form, item.call_begin)
    else:
        push_unknown(state, f"@{named}", [named])
    end = item.end
    while end > item.run_begin and state.src[end - 1].isspace():
        end -= 1
    push_text(state, item.run_begin + len(named), end)


def push_text(state: StateInline, begin: int, end: int) -> None:
    """The inline text between two positions."""
    if begin < end:
        limit, state.posMax, state.pos = state.posMax, end, begin
        state.md.inline.tokenize(state)
        state.posMax = limit


def push_call(state: StateInline, key: str, form: str, position: int) -> None:
    token = state.push("citation", "a", 0)
    token.content = f"@{key}"
    token.meta = {"keys": [key], "form": form, "position": position}


def push_unknown(state: StateInline, source: str, keys: list[str]) -> None:
    """The author's text, marked; the stage below names the problem."""
    token = state.push("citation", "span", 0)
    token.content = source
    token.meta = {"keys": keys, "form": "unknown", "position": state.pos}


def bare(state: StateInline, silent: bool) -> bool:
    """`@key` in running text, where the key exists; `@fig:x` always."""
    if silent or state.linkLevel or state.src[state.pos] != "@":
        return False
    match = CALL.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    work: Work = state.env["work"]
    if label := LABEL.match(match[2]):
        token = state.push("cross_reference", "a", 0)
        token.content = f"@{label[0]}"
        token.meta = {"label": label[0], "short": False, "position": state.pos}
        state.pos += len(token.content)
        return True
    key = key_of(match[2], work.inputs.references)
    if key not in work.inputs.references:
        if key:
            work.citations.setdefault(key)  # who adds the reference later finds this note
        return False
    end = state.pos + 1 + len(key)
    if state.src.startswith("@", end):  # a name on another server, `@ada@example.social`
        return False
    push_call(state, key, "in-text", state.pos)
    locator = LOCATOR.match(state.src, end, state.posMax)
    if locator and normalizeReference(locator[1]) not in state.env.get("references", {}):
        state.tokens[-1].meta["locator"] = " ".join(locator[1].split())
        end = locator.end()
    state.pos = end
    return True


def calls_in(tokens: list[Token]) -> Iterator[tuple[Token, Token]]:
    """Every call that a reader sees, with its block: alternative texts hold none."""
    for block in tokens:
        for token in block.children or ():
            if token.type == "citation":
                yield block, token


def cite(work: Work) -> None:
    """Give every call its text, name the unknown ones, and put the list at the note's end."""
    references = work.inputs.references
    calls: list[Token] = []
    looked_for = work.citations
    work.citations = {}
    for block, token in calls_in(work.tokens):
        for key in token.meta["keys"]:
            work.citations.setdefault(key)
            if token.meta["form"] == "unknown" and key not in references:
                line = line_in(block, token.meta["position"])
                work.problems.add("unknown-citation", line, key=key)
        if token.meta["form"] != "unknown":
            calls.append(token)
    work.citations |= looked_for
    if not calls:
        return
    cited = list(dict.fromkeys(token.meta["keys"][0] for token in calls))
    listed = reference_list.arrange(
        [references[key] for key in cited], work.inputs.citation_style, work.words
    )
    by_key = {one.entry.key: one for one in listed}
    counts: Counter[str] = Counter()
    for token in calls:
        key = token.meta["keys"][0]
        counts[key] += 1
        text = by_key[key].call(token.meta["form"])
        if locator := token.meta.get("locator"):  # inside the brackets that close it
            text = f"{text[:-1]}, {locator}{text[-1]}"
        token.meta["text"] = text
        token.meta["number"] = counts[key]
    if not work.inputs.is_short:
        insert_list(work, listed, counts)


def insert_list(work: Work, listed: list[reference_list.Listed], counts: Mapping[str, int]) -> None:
    """After the text and before its footnotes; under the author's own last heading, if empty."""
    place = next(
        (index for index, one in enumerate(work.tokens) if one.type == "footnotes_open"),
        len(work.tokens),
    )
    under_a_heading = place > 0 and work.tokens[place - 1].type == "heading_close"
    opening = Token("references_open", "section", 1, meta={"heading": not under_a_heading})
    entries = [
        Token("reference", "li", 0, meta={"listed": one, "calls": counts[one.entry.key]})
        for one in listed
    ]
    work.tokens[place:place] = [opening, *entries, Token("references_close", "section", -1)]


def render_call(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    token, work = tokens[index], env["work"]
    marker = work.marker
    if "number" not in token.meta:
        return f'<span class="{marker}missing">{escapeHtml(token.content)}</span>'
    key = escapeHtml(token.meta["keys"][0])
    if work.inputs.is_short:
        text = escapeHtml(token.meta["text"])
        return f'<a class="{marker}citation" href="{marker}@{key}">{text}</a>'
    return (
        f'<a class="{marker}citation" id="{marker}cite-{key}-{token.meta["number"]}" '
        f'href="#c-{key}">{escapeHtml(token.meta["text"])}</a>'
    )


def render_open(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    work = env["work"]
    name = "ol" if work.inputs.citation_style == "numbered" else "ul"
    heading = (
        f"<h2>{escapeHtml(work.words.references)}</h2>\n" if tokens[index].meta["heading"] else ""
    )
    return f'<section class="{work.marker}references">\n{heading}<{name}>\n'


def render_close(
    _renderer: object, _tokens: Sequence[Token], _index: int, _options: object, env: dict[str, Work]
) -> str:
    name = "ol" if env["work"].inputs.citation_style == "numbered" else "ul"
    return f"</{name}>\n</section>\n"


def render_reference(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    marker, meta = env["work"].marker, tokens[index].meta
    key = escapeHtml(meta["listed"].entry.key)
    backs = "".join(
        f' <a class="{marker}citation-back" href="#cite-{key}-{number}">↩\ufe0e</a>'
        for number in range(1, meta["calls"] + 1)
    )
    return f'<li id="{marker}c-{key}">{meta["listed"].html()}{backs}</li>\n'


def stored(work: Work, attributes: dict[str, str]) -> bool:
    """Bring a short text's call to its stored form, after the sanitiser; whether it is one."""
    start = f"{work.marker}@"
    if not attributes.get("href", "").startswith(start):
        return False
    attributes["data-reference"] = REFERENCE_MARK + attributes.pop("href").removeprefix(start)
    return True


def references_in(*texts: str) -> set[str]:
    """The references that stored short texts cite."""
    return {
        escaping.unescape(match[2])
        for text in texts
        if REFERENCE_MARK in text
        for match in REFERENCE_LINK.finditer(text)
    }


def resolve_citations(html: str, addresses: Mapping[str, str]) -> str:
    """A stored short text with its citations: linked by ``addresses``, or else as text alone."""

    def resolved(match: re.Match[str]) -> str:
        address = addresses.get(escaping.unescape(match[2]))
        if address is None:
            return match[3]
        return f'{match[1]} href="{escapeHtml(address)}">{match[3]}</a>'

    return REFERENCE_LINK.sub(resolved, html) if REFERENCE_MARK in html else html
