"""What a person reads at the command line is marked for translation, and can be extracted."""

import ast
import re
from pathlib import Path

import pytest

from notesite.content.writers import KINDS

ROOT = Path(__file__).resolve().parents[2]
SPEAKING = sorted(
    str(path.relative_to(ROOT))
    for path in (
        *ROOT.glob("notesite/management/**/*.py"),
        ROOT / "notesite" / "preparing.py",
        *ROOT.glob("notes/bibtex/*.py"),
    )
)
# Functions and methods whose first argument a person reads.
SAYING = {"write", "say", "CommandError", "Failure", "Refusal"}
MARKING = {"_", "gettext", "ngettext", "gettext_noop", "gettext_lazy", "ngettext_lazy"}


def name_of(call):
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def unmarked(source):
    """Words that are said without a mark, and marks on what no program can extract."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        if name_of(node) in SAYING:
            yield from (f"{node.lineno}: {words}" for one in node.args for words in words_in(one))
        elif name_of(node) in MARKING and not isinstance(node.args[0], ast.Constant):
            yield f"{node.lineno}: {ast.unparse(node)}"


def words_in(node):
    """The letters of a literal that stand outside of calls, which have their own arguments."""
    if isinstance(node, ast.Call):
        return
    if isinstance(node, ast.Constant) and re.search(r"[A-Za-z]{2}", str(node.value)):
        yield node.value
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.BinOp) and child is node.right):  # values, behind a %
            yield from words_in(child)


@pytest.mark.parametrize("name", SPEAKING)
def test_every_sentence_is_marked_so_that_it_can_be_extracted(name):
    assert not list(unmarked((ROOT / name).read_text()))


def test_sentences_without_a_mark_are_seen():
    for source in (
        'say("Done.")',
        'self.stdout.write(f"Rendered {count} notes")',
        'raise CommandError("Port %d is in use" % port)',
        'say("Done." if done else "")',
        '_(f"Rendered {count}")',
        "_(kind.name)",
    ):
        assert list(unmarked(source)), source
    for source in ('say(_("Done."))', 'say(_("%(n)d done") % {"n": 1})', 'write(f"{a}: {b}", x)'):
        assert not list(unmarked(source)), source


def test_the_words_for_kinds_are_those_of_reports():
    assert list(KINDS) == ["site", "topic", "reference", "figure", "note", "path", "redirect"]
    assert 'gettext_noop("redirect")' in (ROOT / "notesite/content/writers.py").read_text()
