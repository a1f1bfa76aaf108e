"""Figures: `![alt](figures/NAME "caption")` alone in a paragraph is numbered, elsewhere an image.

Texts in the note win; empty ones come from the figure. A figure's file is written with a marked
root. An image from another site becomes a link: readers' addresses are not given away by reading.
"""

import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from notes.markdown import links
from notes.markdown.attributes import Attributes
from notes.markdown.roots import MEDIA_MARK
from notes.markdown.values import FigureFile, Variant
from notes.markdown.work import Label, Work, line_in, plain_text

FOLDER = "figures/"
LABEL = re.compile(r"\s*\{#(fig:\w(?:[\w:.-]*\w)?)\}\s*")
# For copies to choose from: the text's width, or nearly the window's; "auto" where it is known.
SIZES = "auto, (min-width: 40rem) 36rem, 92vw"


def extend(markdown: MarkdownIt) -> None:
    """Images carry their line, so that a problem can name it."""
    markdown.add_render_rule("image", render_image)
    markdown.add_render_rule("figure_number", render_number)
    markdown.add_render_rule("figure_credit", render_credit)


NAMES = re.compile(r"figures/([^\s()<>\"'\\]+)")


def name_of(address: str) -> str:
    """The figure that an address names, or ""."""
    address = address.removeprefix("./")
    if not address.startswith(FOLDER):
        return ""
    return unicodedata.normalize("NFC", unquote(address.removeprefix(FOLDER)))


def figure_names(source: str) -> set[str]:
    """Every figure that a source may name, for whoever hands the files in."""
    return {name_of(FOLDER + written) for written in NAMES.findall(source)}


def file_of(work: Work, name: str) -> FigureFile | None:
    """The figure's file; a name with an extension finds the figure named without."""
    figures = work.inputs.figures
    return figures.get(name) or figures.get(name.rpartition(".")[0])


def read_captions(work: Work) -> None:
    """Before footnotes are gathered: the captions that the note gives, which may call some."""
    work.tokens = [one for index in range(len(work.tokens)) for one in apart(work.tokens, index)]
    for index in range(len(work.tokens)):
        image = image_alone(work.tokens, index)
        if image is None or not str(image.attrs.get("title", "")).strip():
            continue
        if file_of(work, name_of(str(image.attrs["src"]))) is not None:
            below = work.tokens[index + 1]
            image.meta["caption"] = caption_tokens(work, str(image.attrs.pop("title")), below)


def apart(tokens: list[Token], index: int) -> list[Token]:
    """The token, or of a paragraph's text with a figure on each line, labelled, as many paragraphs.

    Without a label they stay beside each other.
    """
    block = tokens[index]
    children = block.children or []
    if len(children) < 3 or tokens[index - 1].type != "paragraph_open":
        return [block]
    lines: list[list[Token]] = [[]]
    for child in children:
        if child.type == "softbreak":
            lines.append([])
        else:
            lines[-1].append(child)
    if len(lines) < 2 or not all(is_figure(line) for line in lines):
        return [block]
    if not any(len(line) == 2 or "label" in line[0].meta for line in lines):
        return [block]
    opening, closing = tokens[index - 1], tokens[index + 1]
    first = block.map[0] if block.map else 0
    found: list[Token] = []
    for number, line in enumerate(lines):
        own = block.copy(children=line, map=[first + number, first + number + 1])
        found += [closing, opening, own] if number else [own]
    return found


def is_figure(line: list[Token]) -> bool:
    """An image that names a figure, and its label if it has one."""
    return (
        0 < len(line) < 3
        and line[0].type == "image"
        and bool(name_of(str(line[0].attrs["src"])))
        and all(one.type == "text" and LABEL.fullmatch(one.content) for one in line[1:])
    )


def wrap(work: Work) -> None:
    """Make figures of the images that stand alone."""
    tokens, wrapped = work.tokens, []
    index = count = 0
    used: dict[str, int] = {}  # each anchor, and the number that a repeated one gets next
    while index < len(tokens):
        image = image_alone(tokens, index)
        if image is None:
            wrapped.append(tokens[index])
            index += 1
            continue
        count += 1
        wrapped += figure(work, image, tokens[index + 1], count, used)
        index += 3
    work.tokens = wrapped
    for block in wrapped:
        for token in block.children or ():
            if token.type == "image":
                token.meta["line"] = line_in(block)


def image_alone(tokens: list[Token], index: int) -> Token | None:
    """The image of a paragraph that holds nothing else and names a figure."""
    if tokens[index].type != "paragraph_open" or index + 1 >= len(tokens):
        return None
    block = tokens[index + 1]
    children = [one for one in block.children or () if one.type != "text" or one.content.strip()]
    if not children or children[0].type != "image" or not name_of(str(children[0].attrs["src"])):
        return None
    if len(children) == 2 and (label := LABEL.fullmatch(children[1].content)):
        children[0].meta["label"] = label[1]
        block.children = children = children[:1]
    return children[0] if len(children) == 1 else None


def figure(
    work: Work, image: Token, block: Token, number: int, used: dict[str, int]
) -> list[Token]:
    """The tokens of a numbered figure; its caption holds any inline construct."""
    name = name_of(str(image.attrs["src"]))
    file = file_of(work, name)
    label = str(image.meta.get("label", ""))
    anchor = base = f"fig-{re.sub(r'[^\w.-]+', '-', label.removeprefix('fig:') or name)}"
    while anchor in used:
        used[base] += 1
        anchor = f"{base}-{used[base]}"
    used[anchor] = 1
    if label:
        work.label(label, Label("figure", str(number), anchor), block)
    if file is None:
        identity: dict[str, str | int | float] = {"id": work.marker + anchor} if label else {}
        return [
            Token("paragraph_open", "p", 1, block=True, attrs=identity),
            block,
            Token("paragraph_close", "p", -1, block=True),
        ]
    caption = image.meta.pop("caption", None)
    if caption is None and file.caption.strip():
        caption = caption_tokens(work, file.caption, block)
    image.attrs.pop("title", None)
    opening = Token("figure_open", "figure", 1, block=True)
    attributes: Attributes = image.meta.pop("attributes", Attributes())
    attributes.put(opening)
    opening.attrs["id"] = work.marker + anchor
    if attributes.width:
        opening.attrJoin("class", f"{work.marker}width-{attributes.width}")
    caption_open = Token("figcaption_open", "figcaption", 1, block=True)
    tokens = [opening, block, caption_open, Token("figure_number", "", 0, content=str(number))]
    if caption is not None:
        tokens.append(caption)
    if file.credit.strip():
        tokens.append(Token("figure_credit", "", 0, content=file.credit))
    return [
        *tokens,
        Token("figcaption_close", "figcaption", -1, block=True),
        Token("figure_close", "figure", -1, block=True),
    ]


def caption_tokens(work: Work, caption: str, block: Token) -> Token:
    """The caption read as inline Markdown, standing on the image's line."""
    from notes.markdown.parser import parser  # noqa: PLC0415  (the parser lists this module)

    work.env["block_map"] = block.map
    inline = parser().parseInline(caption, work.env)[0]
    del work.env["block_map"]
    return inline


def render_image(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    """An image for the last stage, which knows what its address means."""
    token, work = tokens[index], env["work"]
    alt = escapeHtml(plain_text(work, token.children or []))
    title = f' title="{escapeHtml(str(token.attrs["title"]))}"' if "title" in token.attrs else ""
    line = f"{work.marker}L{token.meta.get('line', 1)}"
    image = f'<img class="{line}" src="{escapeHtml(str(token.attrs["src"]))}" alt="{alt}"{title}>'
    attributes: Attributes = token.meta.get("attributes", Attributes())
    classes = " ".join(attributes.classes)
    return f'<span class="{classes}">{image}</span>' if classes else image


def render_number(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    work = env["work"]
    number = escapeHtml(work.words.numbered("figure", tokens[index].content))
    return f'<span class="{work.marker}figure-number">{number}</span> '


def render_credit(
    _renderer: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Work]
) -> str:
    credit = escapeHtml(tokens[index].content)
    return f' <small class="{env["work"].marker}credit">{credit}</small>'


def image(work: Work, attributes: dict[str, str], line: int, *, linked: bool) -> tuple[str, str]:
    """What an `<img>` becomes, wherever it came from: its html and its text."""
    address = attributes.get("src", "").strip()
    variants: tuple[Variant, ...] = ()
    alt, title = attributes.get("alt", "").strip(), attributes.get("title", "")
    if not address:
        return escapeHtml(alt), alt
    if name := name_of(address):
        work.figures.setdefault(name)
        file = file_of(work, name)
        if file is None:
            work.problems.add("unknown-figure", line, name=name)
            return f'<span class="missing">{escapeHtml(alt or name)}</span>', alt or name
        alt = alt or file.alt
        source = MEDIA_MARK + escapeHtml(file.path)
        variants = file.variants
        size = f' width="{file.width}" height="{file.height}"'
    else:
        target = links.resolve(address)
        if target.kind == "external":
            work.problems.add("external-image", line, address=address)
            text = alt or address
            linked_html = f'<a href="{escapeHtml(target.address)}">{escapeHtml(text)}</a>'
            return (escapeHtml(text) if linked else linked_html), text
        if target.kind != "site":
            code = "dropped-link" if target.kind == "refused" else "unknown-figure"
            if code == "unknown-figure":
                work.problems.add(code, line, name=address)
            return f'<span class="missing">{escapeHtml(alt or address)}</span>', alt or address
        source = escapeHtml(target.address)
        size = "".join(
            f' {side}="{attributes[side]}"'
            for side in ("width", "height")
            if re.fullmatch(r"[1-9]\d{0,4}", attributes.get(side, ""))
        )
    if not alt:
        work.problems.add("missing-alt", line, name=name or address)
    titled = f' title="{escapeHtml(title)}"' if title else ""
    markup = f'<img src="{source}" alt="{escapeHtml(alt)}"{size}{titled} loading="lazy">'
    return picture(markup, variants), alt


def picture(image_html: str, variants: Sequence[Variant]) -> str:
    """The image with its copies to choose from, a line of them for each type."""
    if not variants:
        return image_html
    by_type: dict[str, list[str]] = {}
    for one in variants:
        candidate = f"{MEDIA_MARK}{escapeHtml(one.path)} {one.width}w"
        by_type.setdefault(one.type, []).append(candidate)
    sources = "".join(
        f'<source type="{escapeHtml(kind)}" srcset="{", ".join(candidates)}" sizes="{SIZES}">'
        for kind, candidates in by_type.items()
    )
    return f"<picture>{sources}{image_html}</picture>"
