"""Drawings for the tests: harmless ones as programs write them, and what strangers try."""

from itertools import pairwise

SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def drawing(inside: str, attributes: str = 'width="40" height="20"', before: str = "") -> bytes:
    """An SVG file with a red square, and what the test is about."""
    square = '<rect width="10" height="10" fill="red"/>'
    return f"{before}<svg {SVG} {attributes}>{square}{inside}</svg>".encode()


BILLION = "".join(
    f'<g id="a{number}">' + f'<use href="#a{number - 1}"/>' * 10 + "</g>" for number in range(1, 12)
)
ENTITIES = (
    '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghi"))
    + "]>"
)

# What must not come out of each, in small letters.
HOSTILE: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "script": (drawing("<script>alert(1)</script>"), ("script", "alert")),
    "script in cdata": (drawing("<script><![CDATA[alert(1)]]></script>"), ("alert",)),
    "script from elsewhere": (drawing('<script href="https://evil.example/x.js"/>'), ("evil",)),
    "script under a prefix": (
        drawing('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'),
        ("alert",),
    ),
    "html script": (
        drawing('<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>'),
        ("alert",),
    ),
    "onload": (drawing("", 'onload="alert(1)"'), ("onload", "alert")),
    "event on an element": (drawing('<g onclick="alert(1)" onFocus="alert(2)"/>'), ("alert",)),
    "event of animation": (
        drawing('<animate attributeName="x" onbegin="alert(1)" dur="1s"/>'),
        ("onbegin", "alert"),
    ),
    "javascript link": (
        drawing('<a xlink:href="javascript:alert(1)"><circle r="2"/></a>'),
        ("javascript", "href", "<a"),
    ),
    "link with a tab": (
        drawing('<a href="java&#9;script:alert(1)"><text>x</text></a>'),
        ("script", "href"),
    ),
    "link elsewhere": (drawing('<a href="https://evil.example/"><text>x</text></a>'), ("evil",)),
    "foreign object": (
        drawing('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
        ("foreign", "body"),
    ),
    "iframe": (
        drawing(
            '<switch><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" '
            'src="https://evil.example/">x</iframe></foreignObject></switch>'
        ),
        ("iframe", "evil"),
    ),
    "image elsewhere": (drawing('<image href="https://evil.example/x.png"/>'), ("evil",)),
    "image without scheme": (drawing('<image xlink:href="//evil.example/x.png"/>'), ("evil",)),
    "svg in an image": (
        drawing('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'),
        ("data:", "phn2zy8"),
    ),
    "html in an image": (drawing('<image href="data:text/html,&lt;script&gt;"/>'), ("data:",)),
    "use elsewhere": (drawing('<use href="https://evil.example/x.svg#a"/>'), ("evil",)),
    "use of data": (drawing('<use xlink:href="data:image/svg+xml,x#a"/>'), ("data:",)),
    "filter image": (
        drawing('<filter id="f"><feImage href="https://evil.example/x"/></filter>'),
        ("evil", "feimage"),
    ),
    "imported style": (
        drawing("<style>@import url(https://evil.example/x.css);circle{fill:blue}</style>"),
        ("import", "evil", "style"),
    ),
    "style from elsewhere": (
        drawing("", before='<?xml-stylesheet href="https://evil.example/x.css"?>'),
        ("evil", "<?"),
    ),
    "link to a style": (
        drawing('<link xmlns="http://www.w3.org/1999/xhtml" href="https://evil.example/x.css"/>'),
        ("evil", "link"),
    ),
    "url in a sheet": (
        drawing("<style>circle{fill:url(https://evil.example/#a)}</style>"),
        ("evil", "url"),
    ),
    "url in a style": (
        drawing("<g style=\"mask:url('https://evil.example/#a');fill:blue\"/>"),
        ("evil", "url"),
    ),
    "url in an attribute": (drawing('<g fill="URL( https://evil.example/ )"/>'), ("evil",)),
    "escaped url": (drawing(r'<g fill="\75rl(https://evil.example/)"/>'), ("evil", "\\")),
    "url behind a good one": (
        drawing('<g fill="url(#a) url(https://evil.example/)"/>'),
        ("evil",),
    ),
    "image set": (drawing("<g mask=\"image-set('https://evil.example/' 1x)\"/>"), ("evil",)),
    "font from elsewhere": (
        drawing("<style>@font-face{font-family:x;src:url(https://evil.example/)}</style>"),
        ("evil", "font-face"),
    ),
    "animated link": (
        drawing('<g><animate attributeName="href" values="javascript:alert(1)"/></g>'),
        ("javascript", "animate"),
    ),
    "animated xlink": (
        drawing('<g><set attributeName="xlink:href" to="https://evil.example/"/></g>'),
        ("evil", "<set"),
    ),
    "animated event": (drawing('<set attributeName="onclick" to="alert(1)"/>'), ("alert",)),
    "animated paint": (
        drawing('<set attributeName="fill" to="url(https://evil.example/)"/>'),
        ("evil",),
    ),
    "handler": (
        drawing('<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load"/>'),
        ("handler", "load"),
    ),
    "base": (drawing("", 'xml:base="https://evil.example/"'), ("evil", "base")),
    "comment": (drawing("<!-- --!><script>alert(1)</script> -->"), ("alert", "<!--")),
    "cdata in a text": (drawing("<text><![CDATA[<script>]]></text>"), ("<script",)),
    "metadata": (
        drawing('<metadata>/home/ada/secret.svg</metadata><d:x xmlns:d="urn:x">ada</d:x>'),
        ("ada", "metadata"),
    ),
    "editor's attributes": (
        drawing("", 'xmlns:i="urn:i" i:export-filename="/home/ada/x.png" data-home="/home/ada"'),
        ("ada",),
    ),
}

REFUSED: dict[str, tuple[bytes, str]] = {
    "no svg": (b"<svgs/>", "no SVG drawing"),
    "no namespace": (b"<svg width='1'/>", "no SVG drawing"),
    "html": (b"<html><svg xmlns='http://www.w3.org/2000/svg'/></html>", "no SVG drawing"),
    "cut short": (drawing("")[:-4], "damaged: line 1"),
    "two attributes": (drawing('<g id="a" id="b"/>'), "damaged: line 1"),
    "entities": (drawing("<text>&i;</text>", before=ENTITIES), "entities of its own"),
    "outside entity": (
        drawing("<text>&x;</text>", before='<!DOCTYPE svg [<!ENTITY x SYSTEM "/etc/passwd">]>'),
        "entities of its own",
    ),
    "parameter entity": (
        drawing("", before='<!DOCTYPE svg [<!ENTITY % x SYSTEM "http://evil.example/"> %x;]>'),
        "entities of its own",
    ),
    "unknown entity": (drawing("<text>&nbsp;</text>"), "damaged|entities"),
    "unknown entity behind a type": (
        drawing("<text>&nbsp;</text>", before='<!DOCTYPE svg PUBLIC "-//W3C//DTD" "svg.dtd">'),
        "doesn't know",
    ),
    "billion uses": (drawing(f'<g id="a0"><path/></g>{BILLION}'), "repeats its parts"),
    "use of itself": (drawing('<g id="a"><use href="#a"/></g>'), "inside itself"),
    "pattern in a circle": (
        drawing(
            '<pattern id="a"><path fill="url(#b)"/></pattern>'
            '<pattern id="b"><path fill="url(#a)"/></pattern>'
        ),
        "inside itself",
    ),
    "depth": (drawing("<g>" * 5000 + "</g>" * 5000), "too deeply"),
    "long chain": (
        drawing("".join(f'<g id="n{n}"><use href="#n{n + 1}"/></g>' for n in range(3000))),
        "inside itself",
    ),
    "many elements": (drawing("<g/>" * 200_000), "50000 elements"),
    "words as html": (
        drawing('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">Label</p></foreignObject>'),
        "words as HTML",
    ),
    "too many bytes": (drawing(" " * 3_200_000), "more than 3 MB"),
}

MATPLOTLIB = """\
<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"
  "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="460.8pt" height="345.6pt"
 viewBox="0 0 460.8 345.6" xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>
 <defs>
  <style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style>
 </defs>
 <g id="figure_1">
  <path d="M 0 345.6 L 460.8 345.6 L 460.8 0 z" style="fill: #ffffff"/>
  <defs><path id="m1" d="M 0 0 L 0 3.5" style="stroke: #000000; stroke-width: 0.8"/></defs>
  <use xlink:href="#m1" x="77.5" y="307.5" style="stroke: #000000; stroke-width: 0.8"/>
  <path d="M 1 1 L 9 9" clip-path="url(#p1)" style="fill: none; stroke: #1f77b4"/>
  <text style="font: italic bold 10px 'DejaVu Sans', sans-serif; text-anchor: middle"
  >a &lt; b</text>
 </g>
 <defs><clipPath id="p1"><rect x="57.6" y="41.4" width="357.1" height="266.1"/></clipPath></defs>
</svg>
"""

INKSCAPE = """\
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="210mm" height="105mm" viewBox="0 0 210 105" version="1.1" id="svg1"
   inkscape:export-filename="/home/ada/drawing.png" sodipodi:docname="drawing.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg">
  <sodipodi:namedview id="namedview1" pagecolor="#ffffff"/>
  <defs id="defs1">
    <linearGradient id="lg1">
      <stop style="stop-color:#ff0000;stop-opacity:1" offset="0"/></linearGradient>
    <linearGradient inkscape:collect="always" xlink:href="#lg1" id="lg2" x1="0" x2="9"/>
    <marker style="overflow:visible" id="arrow" orient="auto"><path d="M 0 0 5 -5 z"/></marker>
  </defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1">
    <path style="fill:url(#lg2);marker-end:url('#arrow');-inkscape-stroke:none" d="M 1 1 H 9"/>
    <text xml:space="preserve" style="font-size:10.5px;line-height:1.25" x="3" y="4"
      ><tspan sodipodi:role="line" x="3" y="4">Grüße  an  alle</tspan></text>
  </g>
</svg>
"""

CLASSES = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 60">
<style>/* by an editor */ .st0{fill:#00ff00} g > .st1, #big { stroke : blue !important }
rect.st0 { opacity: .5 } @media print { .st0 { fill: black } } .st0:hover{fill:red}</style>
<rect class="st0" width="4" height="4"/><g stroke="red"><path id="big" class="st0 st1"
 style="stroke:red;fill:none" d="M0 0h9"/></g></svg>
"""

BY_HAND = """\
<svg xmlns='http://www.w3.org/2000/svg' width='50%' height='2in'>
<title>Two &amp; three</title><desc>"Quoted" 'words'</desc>
<line x1='1' y1='1' x2='9' y2='9' stroke='currentColor'/>
<text x='5' y='5'>One <tspan font-weight='bold'>two</tspan>
three</text></svg>
"""

ANIMATED = """\
<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">
<circle r="5" fill="teal"><animate attributeName="r" values="5;9;5" dur="2s"
 repeatCount="indefinite"/>
<animateTransform attributeName="transform" type="rotate" from="0 50 50" to="360 50 50" dur="9s"/>
<animateMotion path="M0 0L9 9" dur="3s"/></circle></svg>
"""

HARMLESS = {
    "Matplotlib": (MATPLOTLIB, (614, 461)),
    "Inkscape": (INKSCAPE, (794, 397)),
    "classes": (CLASSES, (120, 60)),
    "by hand": (BY_HAND, (300, 192)),
    "animated": (ANIMATED, (100, 100)),
}
