"""A Jekyll post's body, kramdown with Liquid in it, as notesite's Markdown.

One scan from the left: code first, so that what is inside it stays byte for byte, then formulas,
then what a template or kramdown means. A link to a heading is marked in the first pass and led
there in the second, when the headings of every post are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote

from django.utils.translation import gettext as _

from notes.markdown import Inputs
from notes.markdown.headings import ANCHOR, heading_tokens
from notes.markdown.parser import parse
from notes.markdown.work import Work, plain_text
from notesite.content.dialects.jekyll_pictures import Pictures
from notesite.content.dialects.kramdown_code import MARKERS, Block, Fences, settled
from notesite.content.dialects.kramdown_tables import with_table_headers
from notesite.content.report import Outcome, Report

# Private characters: a heading's own id, and a link's fragment, until the second pass.
ID_MARK, FRAGMENT_MARK = "\ue0f0", "\ue0f1"

# What could open a second time doesn't contain its own opening, and nothing is tried twice: no
# text takes longer than its length allows.
_IN_PARAGRAPH = r"(?:(?!\n[ \t]*\n)[\s\S])"
_TAG = r"\{%(?:(?!\{%|%\})[^\n])*+%\}"
_VARIABLE = r"\{\{(?:(?!\{\{|\}\})[^\n])*+\}\}"
_DESTINATION = rf"(?:{_VARIABLE}|{_TAG}|\\.|[^\s()<>\\]|\([^\s()]*+\))*+"
_TITLE = r"""(?:[ \t\n]+(?:"(?P<caption>[^"\n]*)"|'[^'\n]*'))?"""


def _between(tag: str, name: str) -> str:
    """``{% tag %}…{% endtag %}``, what is between them under a name."""
    return (
        rf"\{{%-?\s*{tag}(?P<{name}_arguments>[^%\n]*)%\}}"
        rf"(?P<{name}>(?:(?!\{{%-?\s*{tag}\b)[\s\S])*?)\{{%-?\s*end{tag}\s*-?%\}}"
    )


_SCAN = re.compile(
    "|".join(
        (
            rf"^(?P<fence>{MARKERS}(?P<ticks>`{{3,}}|~{{3,}})(?![^\n`]*`)[^\n]*\n"
            r"[\s\S]*?(?:^[ \t>]*(?P=ticks)[`~]*[ \t]*$|\Z))",
            _between("highlight", "highlight"),
            _between("raw", "raw"),
            _between("comment", "comment"),
            r"(?P<note>\{::comment\}(?:(?!\{::)[\s\S])*?\{:/(?:comment)?\})",
            r"(?P<more><!--\s*more\s*-->)",
            rf"(?P<code>(?<!`)(?P<run>`+)(?!`){_IN_PARAGRAPH}+?(?<!`)(?P=run)(?!`))",
            r"^(?P<display>[ \t]*\$\$(?:(?!\$\$)[\s\S])*+\$\$[ \t]*)$",
            rf"(?<!\\)\$\$(?P<math>{_IN_PARAGRAPH}+?)\$\$",
            rf"\\\\(?P<escaped>\((?:(?!\\\\[()]){_IN_PARAGRAPH})*+\\\\\)"
            rf"|\[(?:(?!\\\\[\[\]]){_IN_PARAGRAPH})*+\\\\\])",
            r"^(?P<toc>[ \t]*(?:[*+-]|\d+\.)[ \t]+[^\n]*\n[ \t]*\{:[ \t]*toc[^}\n]*\})[ \t]*$",
            r"!\[(?P<alt>(?:[^\[\]]|\[[^\[\]]*+\])*+)\]\([ \t]*+<?"
            rf"(?P<picture>{_DESTINATION})>?{_TITLE}[ \t]*+\)",
            rf"(?P<link>\]\([ \t]*+<?(?P<destination>{_DESTINATION})>?(?=[ \t\n]*+[)\"']))",
            rf"^(?P<definition>[ ]{{0,3}}\[[^\]^\n]+\]:[ \t]*+)(?P<defined>{_DESTINATION})",
            r"(?<=\n\n)(?P<spacing><br[ \t]*/?>[ \t]*)$",
            r"(?P<image><img\b[^<>]*+>)",
            r"""<a\s+(?:name|id)\s*=\s*["']?(?P<target>[^"'\s<>/]+)["']?\s*(?:/>|>\s*</a>)""",
            rf"(?P<tag>{_TAG})",
            rf"(?P<variable>{_VARIABLE})",
            r"^(?P<attributes>[ \t>]*\{:[^}\n]*+\}[ \t]*)$",
            r"(?P<span>(?<=\S)\{:[^{}\n]*+\})",
            r"(?P<abbreviation>^\*\[[^\]\n]+\]:[^\n]*$)",
            r"^(?P<heading>#{1,6}[ \t](?:[^\n{]|\{(?!#))*+)\{#(?P<id>[\w:.-]+)\}[ \t#]*+$",
        )
    ),
    re.MULTILINE,
)
_VARIABLES = re.compile(_VARIABLE)
_TAGS = re.compile(_TAG)
_ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a body may lead to: other posts by name and by old address, and pictures."""

    slugs: Mapping[str, str]
    addresses: Mapping[str, str]
    origin: str
    baseurl: str
    pictures: Pictures


@dataclass(frozen=True, slots=True)
class Anchors:
    """A note's headings with the anchors they keep, and which of these an old id leads to."""

    pairs: tuple[tuple[str, str], ...]
    by_id: Mapping[str, str]


class Body:
    """One body on its way; what is lost or left out goes to the report, at its line."""

    def __init__(
        self, surroundings: Surroundings, file: str, first_line: int, title: str, report: Report
    ) -> None:
        self.around, self.file, self.first_line = surroundings, file, first_line
        self.title, self.report = title, report
        self.line = first_line
        self.dropped: dict[str, list[int]] = {}
        self.blocks: dict[int, Block] = {}  # by their place among the parts

    def convert(self, text: str) -> str:
        text = re.sub(rf"\A\s*# {re.escape(self.title)}[ \t]*#*\n", "", text)
        self.fences = Fences(text)
        parts, end, line = [], 0, self.first_line
        for match in _SCAN.finditer(text):
            line += text.count("\n", end, match.start())
            self.line = line
            parts.append(text[end : match.start()])
            parts.append(self._replacement(match, text, len(parts)))
            line += text.count("\n", match.start(), match.end())
            end = match.end()
        parts.append(text[end:])
        for block in settled(parts, self.blocks):
            message = _("No code block can stand here; the code was carried without colours.")
            self._add(Outcome.LOST, message, block.line)
        for what, lines in self.dropped.items():
            message = _("%(count)d × dropped: %(what)s (the first is here).")
            self._add(Outcome.NOTICE, message % {"count": len(lines), "what": what}, lines[0])
        return with_table_headers("".join(parts))

    def _replacement(self, match: re.Match[str], text: str, place: int) -> str:
        found = match.groupdict()
        if found["fence"] is not None or found["code"] is not None:
            return match[0]
        if found["highlight"] is not None:
            arguments = found["highlight_arguments"]
            block = self.fences.block(*match.span(), found["highlight"], arguments, self.line)
            self.blocks[place] = block
            return block.fence
        if found["raw"] is not None:
            return found["raw"]
        if found["display"] is not None:
            # kramdown allows blank lines in a formula; here they would end it.
            return re.sub(r"\n(?:[ \t]*\n)+", "\n", found["display"])
        if found["math"] is not None:
            return formula(match, text)
        if found["escaped"] is not None:
            return f"\\{found['escaped'][:-3]}\\{found['escaped'][-1]}"
        if found["picture"] is not None:
            return self._picture(found["alt"], found["picture"], found["caption"] or "")
        if found["destination"] is not None:
            return f"]({self._destination(found['destination'])}"
        if found["defined"] is not None:
            return found["definition"] + self._destination(found["defined"])
        if found["image"] is not None:
            return self._image(found["image"])
        if found["target"] is not None:
            return f'<span id="{found["target"]}"></span>'
        if found["tag"] is not None:
            return self._tag(found["tag"])
        if found["variable"] is not None:
            return self._variable(found["variable"])
        if found["heading"] is not None:
            return f"{found['heading'].rstrip()}{ID_MARK}{found['id']}{ID_MARK}"
        if found["more"] is not None or found["toc"] is not None or found["spacing"] is not None:
            return ""
        if found["comment"] is not None or found["note"] is not None:
            return self._drop(_("comments"))
        if found["abbreviation"] is not None:
            return self._drop(_("abbreviations such as *[HTML]: …"))
        return self._drop(_("attribute lists such as {: .center}"))

    def _picture(self, alt: str, address: str, caption: str) -> str:
        """An image with its figure's name, else its alternative text."""
        alt = re.sub(r"\$\$(.+?)\$\$", r"$\1$", alt)
        address = self._resolved(address)
        if is_elsewhere(address):
            self._add(Outcome.NOTICE, _("An image from elsewhere becomes a link."))
            return f"![{alt}]({address})"
        title = f' "{caption}"' if caption else ""
        name = self._figure(address)
        return f"![{alt}](figures/{name}{title})" if name else alt or caption

    def _image(self, element: str) -> str:
        """An HTML image with its figure's name, else its alternative text."""
        attributes = attributes_of(element)
        address = self._resolved(attributes.get("src", ""))
        if is_elsewhere(address):
            self._add(Outcome.NOTICE, _("An image from elsewhere becomes a link."))
            return element
        name = self._figure(address)
        if not name:
            return attributes.get("alt", "")
        alt = attributes.get("alt", "").replace('"', "&quot;")
        return f'<img src="figures/{name}" alt="{alt}">'

    def _figure(self, address: str) -> str:
        """The name of the figure at a local address; empty, and said, where there is none."""
        path = unquote(re.split(r"[?#]", address)[0])
        found = self.around.pictures.find(path, self.file) if path else ""
        if not found:
            message = _("The image “%(path)s” is not in the folder.")
        elif name := self.around.pictures.name_for(found):
            return name
        else:
            message = _("The image “%(path)s” is of a kind that is not taken.")
        self._add(Outcome.LOST, message % {"path": path})
        return ""

    def _destination(self, address: str) -> str:
        """Where a link leads in this site, a fragment marked for the second pass."""
        address = self._resolved(address)
        if is_elsewhere(address) or address.startswith("mailto:"):
            return address
        path, _hash, fragment = address.partition("#")
        marked = f"#{FRAGMENT_MARK}{fragment}" if fragment else ""
        if not path or re.fullmatch(r"/notes/[^/]+/", path):
            return path + marked
        slug = self.around.addresses.get(path.rstrip("/"))
        if slug is None:
            slug = self.around.addresses.get(f"{path.rstrip('/')}.html")
        if slug is not None:
            return f"/notes/{slug}/{marked}"
        message = _("A link leads to “%(path)s”, which is no post and wasn't carried.")
        self._add(Outcome.LOST, message % {"path": path})
        return address

    def _resolved(self, address: str) -> str:
        """An address with its Liquid worked out, the old site's own origin taken off."""
        address = _VARIABLES.sub(lambda match: self._variable(match[0]), address)
        address = _TAGS.sub(lambda match: self._tag(match[0]), address)
        for prefix in (self.around.origin, self.around.baseurl):
            if prefix and (address == prefix or address.startswith(f"{prefix}/")):
                address = address.removeprefix(prefix)
        return address

    def _variable(self, text: str) -> str:
        """``{{ site.baseurl }}`` and literal addresses; anything else stays to be seen."""
        value, *filters = (part.strip() for part in text[2:-2].strip("-").split("|"))
        for one in filters:
            if re.split(r"[:\s]", one)[0] not in ("relative_url", "absolute_url", "prepend"):
                return self._unknown(text)
        if value in ("site.baseurl", "site.url"):
            return ""
        if value == "page.title":
            return self.title
        if re.fullmatch(r"""(["']).*\1""", value):
            return value[1:-1]
        return self._unknown(text)

    def _tag(self, text: str) -> str:
        """A link to a post, an included figure; anything else stays to be seen."""
        name, _space, arguments = text[2:-2].strip("-").strip().partition(" ")
        rest = arguments.strip("\"' ")
        if name == "post_url" or (name == "link" and "_posts/" in rest):
            post = (
                re.sub(r"\.\w+$", "", rest.rpartition("/")[2])
                if name == "link"
                else (rest.rpartition("/")[2])
            )
            if slug := self.around.slugs.get(post):
                return f"/notes/{slug}/"
            message = _("A link leads to the post “%(post)s”, which isn't there.")
            self._add(Outcome.LOST, message % {"post": post})
            return f"/notes/{post[11:]}/"
        if name == "include":
            attributes = attributes_of(arguments)
            for key in ("path", "src", "image", "url", "image_path", "file"):
                if address := attributes.get(key):
                    alt, caption = attributes.get("alt", ""), attributes.get("caption", "")
                    return self._picture(alt, address, caption.replace('"', "”"))
        return self._unknown(text)

    def _unknown(self, text: str) -> str:
        message = _("“%(text)s” is Liquid that only Jekyll knows; it stays as text.")
        self._add(Outcome.LOST, message % {"text": text[:80]})
        return text

    def _drop(self, what: str) -> str:
        self.dropped.setdefault(what, []).append(self.line)
        return ""

    def _add(self, outcome: Outcome, message: str, line: int = 0) -> None:
        self.report.add(outcome, "part", self.file, line or self.line, message)


def formula(match: re.Match[str], text: str) -> str:
    """``$$…$$`` on lines of its own is set apart; within a line it stays there."""
    before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    after = text[match.end() : (text + "\n").index("\n", match.end())]
    if not re.sub(r"^[ \t>]*(?:[*+-][ \t]+|\d+\.[ \t]+)?", "", before) and not after.strip():
        return match[0]
    inner = " ".join(match["math"].split())
    # A digit behind the dollar would make it an amount of money.
    is_plain = not after[:1].isdigit() and "$" not in inner
    return f"${inner}$" if is_plain else rf"\({inner}\)"


def attributes_of(text: str) -> dict[str, str]:
    """``name="value"`` pairs, entities decoded."""
    return {
        match[1].lower(): unescape(match[2] or match[3] or match[4] or "")
        for match in _ATTRIBUTE.finditer(text)
    }


def is_elsewhere(address: str) -> bool:
    return re.match(r"(?:[a-z][a-z0-9+.-]*:)?//|data:", address, re.IGNORECASE) is not None


def anchors_of(source: str) -> Anchors:
    """The headings of a converted body with the ids that kramdown gave them, as our anchors."""
    work = Work.begin(source, Inputs())
    parse(work)
    pairs: list[tuple[str, str]] = []
    repeats: dict[str, int] = {}
    # An id that the author wrote as HTML keeps its name behind a prefix.
    by_id = {name: f"x-{name}" for name in re.findall(r"""<\w+[^<>]*\sid=["']([\w:.-]+)""", source)}
    for _token, inline in heading_tokens(work.tokens):
        text = " ".join(plain_text(work, inline.children or []).split())
        text, _mark, own_id = text.rstrip(ID_MARK).partition(ID_MARK)
        wanted = base = own_id or automatic_id(text)
        while wanted in by_id:
            repeats[base] = repeats.get(base, 0) + 1
            wanted = f"{base}-{repeats[base]}"
        anchor = f"s-{wanted}"
        if ANCHOR.fullmatch(anchor):
            by_id[wanted] = anchor
            pairs.append((text, anchor))
    return Anchors(tuple(pairs), by_id)


def automatic_id(text: str) -> str:
    """What Jekyll's kramdown makes of a heading: letters, digits and hyphens, in lower case."""
    return re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")


def with_fragments(
    source: str, slug: str, anchors: Mapping[str, Anchors], lost: Callable[[str], None]
) -> str:
    """The second pass: links to headings led to their anchors, marks taken out."""

    def led(match: re.Match[str]) -> str:
        fragment = unquote(match["fragment"])
        there = anchors.get(match["slug"] or slug)
        by_id = there.by_id if there else {}
        anchor = by_id.get(fragment) or by_id.get(fragment.lower())
        if anchor is None:
            lost(fragment)
        return f"{match['path'] or ''}#{anchor or match['fragment']}"

    source = re.sub(
        rf"(?P<path>/notes/(?P<slug>[^/\s]+)/)?#{FRAGMENT_MARK}(?P<fragment>[^\s)\"'>]*)",
        led,
        source,
    )
    return re.sub(f"{ID_MARK}[^{ID_MARK}\n]*{ID_MARK}", "", source)
