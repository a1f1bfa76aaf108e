"""Ids of several texts on one page."""

from notes.markdown import render
from notes.markdown.ids import with_fragments_at, with_prefix

SOURCE = """\
## Setup

See [it](#s-setup), [mine](#mine), [elsewhere](#s-not-here), [that](/notes/a/#s-setup)[^1].

<span id="mine" title='a " id="no" href="#s-setup"'>x</span> and `<b id="s-code" href="#s-setup">`.

$$\\begin{equation} a=b \\label{sum} \\end{equation}$$ and $\\eqref{sum}$

[^1]: Once.
"""


def test_every_id_has_the_prefix_and_so_have_links_to_it():
    before = render(SOURCE).html
    html = with_prefix(before, "bridge-a--")
    for anchor in ("s-setup", "x-mine", "fn-1", "fn-1-ref", "eq-sum"):
        assert f' id="{anchor}"' in before
        assert f' href="#{anchor}"' in before
        assert f' id="bridge-a--{anchor}"' in html
        assert f' href="#bridge-a--{anchor}"' in html
        assert f' id="{anchor}"' not in html
    assert html.count('"#s-setup"') == 1  # in the code


def test_what_isn_t_an_id_or_no_link_to_one_stays_as_it_is():
    html = with_prefix(render(SOURCE).html, "p--")
    assert 'href="#s-not-here"' in html
    assert 'notes/a/#s-setup"' in html
    assert '<code>&lt;b id="s-code" href="#s-setup"&gt;</code>' in html
    assert 'title="a &quot; id=&quot;no&quot; href=&quot;#s-setup&quot;"' in html
    assert html.replace("p--", "") == render(SOURCE).html
    assert with_prefix('a < b id="x" > c <p>', "p--") == 'a < b id="x" > c <p>'


def test_references_to_several_ids_have_it_before_each():
    html = '<p id="a"></p><p id="b" aria-labelledby="a else b"></p><label for="a">'
    assert with_prefix(html, "p--") == (
        '<p id="p--a"></p><p id="p--b" aria-labelledby="p--a else p--b"></p><label for="p--a">'
    )


def test_a_text_on_another_page_leads_back_to_its_own():
    html = '<a href="#s-setup" title="#s-setup">#s</a> <a href="/x/#y">y</a>'
    assert with_fragments_at(html, "/notes/a/") == (
        '<a href="/notes/a/#s-setup" title="#s-setup">#s</a> <a href="/x/#y">y</a>'
    )
