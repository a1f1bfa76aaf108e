"""What is read in a .bib file, what can't be and why, and what is written again."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notes.bibtex import Entry, decode, family_of, names_in_short, parse, read, readable_name

NEVER = "The entry is never closed"


@pytest.mark.parametrize(
    ("bibtex", "line", "message"),
    [
        ("@book{a, title = {x}", 1, NEVER),
        ("@book{a, title = {x\n@book{b, title = {y}}", 1, NEVER),
        ("@book{a, title = {x}}\n\n@book{a, title = {y}}", 3, "An entry above has the key “a”."),
        ("@book{a, title = {x}, title = {y}}", 1, "A field stands twice in the entry: title."),
        ("@book{a title = {x}}", 1, "A comma is missing behind the key."),
        ("@book{a, title, year = {1}}", 1, "An equals sign is missing"),
        ("@book{ , title = {x}}", 1, "The entry has no key."),
        ("@book{title = {x}}", 1, "The entry has no key."),
        ("\n@book{a, title = {x} year = 1}", 2, "A comma is missing behind the field “title”."),
        ("@book{a, title = On Lag, year = 1}", 1, "The value of “title” has several words"),
        ("@book{a, title = , year = 1}", 1, "The field “title” has no value."),
        ("@book{a, = {x}}", 1, "The name of a field is missing"),
        ('@book{a, title = "x}"}', 1, "The braces of the field “title” don't match."),
        ("@book{a, title = {x}}, year = {1}}", 1, "The entry goes on behind the brace"),
        ("@book{a, title = {x}}\n}\n", 1, "The entry goes on behind the brace"),
        ("@book{a b, title = {x}}", 1, "The key “a b” can't be cited."),
        ("@book{o'brien, title = {x}}", 1, "The key “o'brien” can't be cited."),
        (f"@book{{{'k' * 101}, title = {{x}}}}", 1, "The key is longer than 100 characters."),
        ("@string{a = {x}\n@misc{b, title = a}", 1, NEVER),
    ],
)
def test_what_is_wrong_with_an_entry_is_said_in_our_words(bibtex, line, message):
    _entries, (failure, *_others) = parse(bibtex)
    assert failure.line == line
    assert failure.message.startswith(message)
    assert failure.cure


@pytest.mark.parametrize(
    "broken",
    [
        "@book{a,\n  title = {x\n}\n",
        '@book{a,\n  title = "x,\n}\n',
        "@book{a,\n  title = {x},\n",
        "@book{a,\n  title = {{x},\n  year = 2000\n}\n",
        "@book{a,\n  title = {x}\n  year = 2000\n}\n",
        "@book{,\n  title = {x}}\n",
        "@book{\n",
    ],
)
def test_the_entries_behind_a_broken_one_are_kept(broken):
    good = "@misc{b,\n  title = {Good},\n}\n"
    reading = read(f"{good.replace('b,', 'z,')}\n{broken}\n{good}\n@misc{{c, title = {{Last}}}}")
    assert [one.entry.key for one in reading.entries] == ["z", "b", "c"]
    (failure,) = reading.failures
    assert failure.line == 5
    assert failure.raw == broken.rstrip()


def test_a_fault_is_named_where_it_shows():
    (failure,) = read("@book{a,\n  title = {x},\n  year = {1}\n  note = {z}\n}").failures
    assert (failure.line, failure.noticed) == (1, 4)


@pytest.mark.parametrize(
    ("bibtex", "fields"),
    [
        ('@ARTICLE {k ,\r\n Title="A {"}q{"}" # " b"}', {"title": 'A {"}q{"} b'}),
        ("\ufeff@misc(k, title={a)b})", {"title": "a)b"}),
        ("@string{jmlr = {J. ML}}\n@misc{k, journal = JMLR # { Res.}}", {"journal": "J. ML Res."}),
        ("@misc{k, month = Jan, year = 2020}", {"month": "jan", "year": "2020"}),
        ('@misc{k, month = "1~" # feb}', {"month": "1~feb"}),
        ("@misc{k, journal = unknown}", {"journal": "unknown"}),
        ("@misc{k, t={a}, T={a}}", {"t": "a"}),
        ("@misc{k}", {}),
        ("@odd-type{k, bdsk-url-1 = {x}, zażółć = {y}}", {"bdsk-url-1": "x", "zażółć": "y"}),
        ("@comment{@misc{no, t={x}}}@preamble{\"\\x{}\"} a@b.org @misc{k, t={}}", {"t": ""}),
        ("@comment{jabref-meta\n@misc{k, t={\\{ \\}}}", {"t": "\\{ \\}"}),
        ("@misc{k, t = {x\\ }}", {"t": "x"}),
    ],
)  # fmt: skip
def test_the_dialects_of_exports_are_read(bibtex, fields):
    entries, failures = parse(bibtex)
    assert not failures
    assert (entries[0].key, dict(entries[0].fields)) == ("k", fields)


def test_an_entry_inherits_what_its_parent_says():
    text = "@inproceedings{a, title = {T}, year = 2, crossref = {P}}\n"
    text += "@proceedings{p, title = {Proc}, year = 1, publisher = {X}}"
    child = parse(text)[0][0]
    assert dict(child.fields) == {
        "title": "T", "year": "2", "crossref": "P", "booktitle": "Proc", "publisher": "X",
    }  # fmt: skip


def test_the_same_key_twice_is_read_twice_and_parsed_once():
    text = "@misc{a, t={1}}\n@misc{a, t={2}}"
    assert [one.line for one in read(text).entries] == [1, 2]
    assert len(parse(text)[0]) == 1


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"G{\"o}del, \"o {\'e} {\ss} \v{s} {\l}", "Gödel, ö é ß š ł"),
        (r"a\textendash b 1--2 A~B Q\&A", "a–b 1–2 A B Q&A"),
        ("``quoted''", "“quoted”"),
        ("50% better & cheaper", "50% better & cheaper"),
        (r"{{RLHF}: {A {Nested} Title}}", "RLHF: A Nested Title"),
        (r"$\alpha$-Gap in $\mathcal{O}(n \log n)$, $x^{2}$", "α-Gap in 𝒪(n log n), x^2"),
        ("From $5 to $10", "From $5 to $10"),
        (r"\emph{The} {\LaTeX} Book \{sic\}", "The LaTeX Book {sic}"),
        ("{" * 5000, ""),
    ],
)  # fmt: skip
def test_latex_is_shown_as_text(latex, text):
    assert decode(latex) == text


@pytest.mark.parametrize(
    ("written", "read_as", "family"),
    [
        ("von der X, Jr, Y", "Y von der X Jr", "von der X"),
        ("de la Vall{\\'e}e Poussin, C.", "C. de la Vallée Poussin", "de la Vallée Poussin"),
        ("{Barnes and Noble}", "Barnes and Noble", "Barnes and Noble"),
        ("Ada Lovelace", "Ada Lovelace", "Lovelace"),
        ("张, 三", "张三", "张"),
        ("张三", "张三", "张三"),
        ("others", "others", "others"),
    ],
)
def test_names_are_read_as_one_says_them(written, read_as, family):
    assert (readable_name(written), family_of(written)) == (read_as, family)


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["A", "B"], "A, B"),
        (["A", "B", "C"], "A, B …"),
        (["A", "others"], "A …"),
        ([], ""),
    ],
)
def test_more_names_than_two_are_dots(names, short):
    assert names_in_short(names) == short


@pytest.mark.parametrize(
    ("fields", "url", "arxiv"),
    [
        ({"doi": "https://doi.org/10.1/a\\_b"}, "https://doi.org/10.1/a_b", ""),
        ({"url": "https://x.org/a{\\_}b\\%20"}, "https://x.org/a_b%20", ""),
        ({"eprint": "2001.00001v2"}, "https://arxiv.org/abs/2001.00001v2", "2001.00001"),
        ({"eprint": "123", "eprinttype": "jstor"}, "", ""),
        ({"journal": "arXiv preprint arXiv:1706.03762"}, "", "1706.03762"),
        ({"doi": "10.48550/arXiv.1706.03762"}, "https://doi.org/10.48550/arXiv.1706.03762",
         "1706.03762"),
    ],
)  # fmt: skip
def test_addresses_and_numbers_are_found(fields, url, arxiv):
    entry = Entry("misc", "k", tuple(fields.items()))
    assert (entry.url, entry.arxiv) == (url, arxiv)


PIECES = st.sampled_from(
    ["@misc{", "@b{k,", "k,", "a = ", "{", "}", '"', ",", "#", "=", "(", ")", "\\", "\n", " ",
     "jan", "month = ", "x", "é", "e\u0301", "%", "@string{s = ", "@comment{", "2020", "s"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=400, deadline=None)
def test_the_canonical_form_is_a_fixed_point(text):
    for placed in read(text).entries:
        entry = placed.entry
        again = read(entry.bibtex)
        assert [one.entry for one in again.entries] == [entry]
        assert not again.failures
        assert again.entries[0].entry.bibtex == entry.bibtex


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["title", "note", "month"]),
            st.text(max_size=20).map(lambda text: text.replace("{", "").replace("}", "")),
        ),
        max_size=3,
    )
)
@settings(max_examples=200, deadline=None)
def test_any_value_in_braces_is_read_or_named(fields):
    written = ",\n".join(f"{name} = {{{value}}}" for name, value in fields)
    reading = read(f"@misc{{k,\n{written}\n}}\n")
    assert len(reading.entries) + len(reading.failures) == 1


def test_white_space_behind_an_entry_costs_what_it_is_long():
    started = time.process_time()
    entries, failures = parse("@misc{a,}" + "\n" * 200_000 + "@misc{b,}")
    assert time.process_time() - started < 1
    assert [entry.key for entry in entries] == ["a", "b"] and not failures


@pytest.mark.parametrize(
    "text",
    [
        "@string{s0 = {1234567890}}\n"
        + "".join(f"@string{{s{n + 1} = s{n} # s{n}}}\n" for n in range(60)),
        "@string{s = {" + "x" * 100_000 + "}}\n@misc{k, " + "t = s # s,\n" * 5_000 + "}",
        "@book{p, title = {"
        + "x" * 100_000
        + "}}\n"
        + "".join(f"@inbook{{k{n}, crossref = {{p}}}}\n" for n in range(1_000)),
    ],
)
def test_what_repeats_a_text_has_an_end(text):
    reading = read(text + "@misc{last, title = {Kept}}")
    assert reading.entries[-1].entry.key == "last"
    assert sum(len(one.entry.bibtex) for one in reading.entries) < 30_000_000
    assert "make the text too long" in reading.failures[0].message
    assert reading.failures[0].cure
