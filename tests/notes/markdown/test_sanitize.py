"""Two walls: the allowlist and the links stage, each enough for what is its own."""

import pytest

from notes.markdown import links, place, render
from notes.markdown.sanitize import sanitize
from tests.notes.markdown.elements import assert_harmless, parsed

PAYLOADS = (
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    '<img src="x" onerror="alert(1)"',
    "<img src=x:x onerror\n=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate attributeName=href values=javascript:alert(1) /><a><text>t</text></a></svg>",
    "<math><a xlink:href=javascript:alert(1)>x</a></math>",
    "<math><mtext><table><mglyph><style><!--</style>"
    "<img title='--&gt;&lt;img src=q onerror=alert(1)&gt;'>",
    "<math><annotation-xml encoding='text/html'><img src=x onerror=alert(1)></annotation-xml>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><img src=x onerror=alert(1)></template>",
    "<select><template><img src=x onerror=alert(1)></template></select>",
    "<textarea><img title='</textarea><img src=x onerror=alert(1)>'></textarea>",
    "<title><img title='</title><img src=x onerror=alert(1)>'></title>",
    "<xmp><img title='</xmp><img src=x onerror=alert(1)>'></xmp>",
    "<plaintext><img src=x onerror=alert(1)>",
    "<listing>&lt;img src=x onerror=alert(1)&gt;</listing>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<iframe src=javascript:alert(1)>",
    "<object data='data:text/html,<script>alert(1)</script>'></object>",
    "<embed src='javascript:alert(1)'>",
    "<base href='//evil.example/'>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<link rel=stylesheet href='//evil.example/x.css'>",
    "<style>@import '//evil.example/x.css';</style>",
    "<p style='background:url(javascript:alert(1))'>x</p>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "<a href='&#106;avascript:alert(1)'>x</a>",
    "<a href='&#x1;javascript:alert(1)'>x</a>",
    "<a href='\u2028javascript:alert(1)'>x</a>",
    "<a href='\u00a0javascript:alert(1)'>x</a>",
    "<a href='\u1680javascript:alert(1)'>x</a>",
    "<a href='java\u200bscript:alert(1)'>x</a>",
    "<a href='vbscript:msgbox(1)'>x</a>",
    "<a href='data:text/html;base64,PHNjcmlwdD4='>x</a>",
    "<a href='feed:javascript:alert(1)'>x</a>",
    "<a href='view-source:javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JAVASCRIPT&colon;alert(1))",
    "[x](&#x6A;avascript:alert(1))",
    "[x]( javascript:alert(1) 'title')",
    '[x](https://example.org "onmouseover=alert(1)")',
    '[x](https://example.org" onclick="alert(1))',
    '![x](x" onerror="alert(1))',
    '![" onerror="alert(1)](figures/x)',
    "![x](javascript:alert(1))",
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    "<https://example.org/\"onclick='alert(1)'>",
    '```js" onmouseover="alert(1)\n</code></pre><script>alert(1)</script>\n```',
    "`<script>alert(1)</script>`",
    '[^"><img src=x onerror=alert(1)>]: n\n\n[^"><img src=x onerror=alert(1)>]',
    "^[<img src=x onerror=alert(1)>]",
    '## <img src=x onerror=alert(1)> {#x onclick="alert(1)"}',
    "$\\href{javascript:alert(1)}{x}$ $\\htmlData{onclick=alert(1)}{y}$",
    "$\\text{<img src=x onerror=alert(1)>}$ $<img src=x onerror=alert(1)>$",
    "$\\style{background:url(javascript:alert(1))}{x}$ $\\class{overlay}{x}$ $\\unicode{<script>}$",
    "$$\n</math><script>alert(1)</script>\n$$",
    "$\\nosuch</code><script>alert(1)</script>$",
    "| <img src=x onerror=alert(1)> | b |\n|---|---|\n| <script>alert(1)</script> | c |",
    "> [!NOTE] <img src=x onerror=alert(1)>\n> <script>alert(1)</script>",
    "<details open ontoggle=alert(1)><summary onclick=alert(1)>x</summary></details>",
    "<input autofocus onfocus=alert(1)><button formaction=javascript:alert(1)>x</button>",
    "<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>",
    "<marquee onstart=alert(1)>x</marquee><isindex type=image src=1 onerror=alert(1)>",
    "<table background=javascript:alert(1)><td background=javascript:alert(1)>x",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[><img src=x onerror=alert(1)>]]>",
    "<?xml ><img src=x onerror=alert(1)>?>",
    "<!DOCTYPE x [<!ENTITY e '<script>'>]>",
    "</div></div></body></html><script>alert(1)</script>",
    "<p id=location name=cookie class='modal overlay'>x</p><a id=documentElement name=body>x</a>",
    "<img name=getElementById src=/x.png alt=x><form id=document><input name=cookie></form>",
    "<div contenteditable autofocus tabindex=1 accesskey=x draggable=true>x</div>",
    "<a href=https://example.org ping=//evil.example target=_blank>x</a>",
    "<img srcset='javascript:alert(1)' src=/x.png alt=x usemap=#m>",
    "<slot name=x><portal src=//evil.example></portal><dialog open>x</dialog>",
)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_that_an_author_pastes_can_run(payload: str) -> None:
    assert_harmless(str(place(render(payload).html)))
    assert_harmless(str(place(render(f"text {payload} text\n\n- {payload}\n").html)))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_second_cleaning_changes_nothing(payload: str) -> None:
    once = sanitize(payload)
    assert sanitize(once) == once


@pytest.mark.parametrize("payload", [one for one in PAYLOADS if one.startswith("<a href")])
def test_the_links_stage_drops_bad_addresses_without_the_allowlist(payload: str) -> None:
    link = parsed(payload).find("a")
    assert link is not None
    address = str(link["href"])
    assert links.resolve(address).kind == "refused" or address.startswith("https:")


def test_the_allowlist_drops_bad_schemes_without_the_links_stage() -> None:
    for address in ("javascript:alert(1)", "java&#9;script:alert(1)", "data:text/html,x"):
        assert "href" not in sanitize(f'<a href="{address}">x</a>')


def test_our_marker_cannot_be_written_by_hand() -> None:
    html = render("<p id='m00-s-x' class='m00-code'>a m00-0-</p>").html
    assert html == '<p id="x-m00-s-x">a m00-0-</p>'


def test_the_marks_of_the_roots_cannot_be_written_by_hand() -> None:
    source = "\ufdd0a &#xFDD1; <i title='&#xFDD0;x'>b</i> [x](\ufdd1figures/y)"
    assert "\ufdd0" not in render(source).html
    assert "\ufdd1" not in render(source).html


def test_a_page_on_another_host_never_looks_like_ours() -> None:
    for address in (
        "//evil.example/",
        "/\\evil.example/",
        "\\\\evil.example/",
        "/\t/evil.example/",
    ):
        assert links.resolve(address).address.startswith("https://evil.example")


@pytest.mark.parametrize("html", ["\ufeff\ufeffa", "<script></script>\ufeff\ufeffa", "\ufeff"])
def test_byte_order_marks_don_t_make_a_second_pass_change_anything(html: str) -> None:
    once = sanitize(html)
    assert sanitize(once) == once
