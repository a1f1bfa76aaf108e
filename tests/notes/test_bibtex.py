"""What can't be read in a .bib file, and why."""

import pytest

from notes.bibtex import parse


@pytest.mark.parametrize(
    ("bibtex", "line", "message"),
    [
        ("@book{a, title = {x}", 1, "The entry is never closed"),
        ("@book{a, title = {x\n@book{b, title = {y}}", 1, "The entry is never closed"),
        ("@book{a, title = {x}}\n\n@book{a, title = {y}}", 3, "An entry above has the key “a”."),
        ("@book{a, title = {x}, title = {y}}", 1, "A field stands twice in the entry: title."),
        ("@book{a title = {x}}", 1, "A comma is missing behind the key."),
        ("@book{a, title, year = {1}}", 1, "An equals sign is missing"),
        ("@book{ , title = {x}}", 1, "The entry has no key."),
    ],
)
def test_what_is_wrong_with_an_entry_is_said_in_our_words(bibtex, line, message):
    _entries, (failure, *_others) = parse(bibtex)
    assert failure.line == line
    assert failure.message.startswith(message)
