"""`manage.py render`: the pipeline by itself."""

import io
import json
import os
import subprocess
import sys
import types

import pytest
from django.core.management import CommandError, call_command

from tests.notes.image_files import encode, gradient
from tests.notesite.content.folders import write_files
from tests.notesite.test_settings import ROOT


@pytest.fixture
def run(monkeypatch):
    """The command in this process: what it wrote to standard output and standard error."""

    def run(*arguments: str, given: bytes = b"") -> tuple[str, str]:
        monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=io.BytesIO(given)))
        out, error = io.StringIO(), io.StringIO()
        call_command("render", *arguments, stdout=out, stderr=error)
        return out.getvalue(), error.getvalue()

    return run


NOTE = """---
title: A note
macros:
  "\\\\R": "\\\\mathbb{R}"
lang: de
---

In $\\R$ "so".

![](figures/nowhere.png)

![What it shows](figures/plot.png "A caption")
"""
FOLDER = {
    "site.yaml": "name: Site\nmacros:\n  \\N: \\mathbb{N}\n",
    "notes/a.md": NOTE,
    "figures/plot.png": encode(gradient(), "PNG"),
    "figures/broken.png": b"no picture",
    "figures/figures.yaml": "- name: plot.png\n  credit: Ada\n",
}


def test_renders_standard_input(run):
    assert run(given=b"*so*")[0] == "<p><em>so</em></p>\n"


def test_renders_a_file_and_names_its_problems(run, tmp_path):
    file = tmp_path / "a.md"
    file.write_text("One\n\n![](figures/none.png)\n", "utf-8")
    assert run(str(file))[1] == ""
    html, problems = run(str(file), "--problems")
    assert html.startswith("<p>One</p>")
    assert problems == (
        f"{file}:3:13 error unknown-figure: There is no figure “none.png”. – "
        "Upload it under this name, or correct the name.\n"
    )


def test_a_note_of_a_content_folder_brings_its_front_matter_and_finds_its_figures(run, tmp_path):
    folder = write_files(tmp_path, FOLDER)
    html, problems = run(str(folder / "notes" / "a.md"), "--content", str(folder), "--problems")
    assert "„so“" in html
    assert "ℝ" in html
    assert 'width="60" height="30"' in html
    assert 'src="/media/figures/' in html
    assert "Ada" in html
    assert "a.md:10:13 error unknown-figure" in problems
    assert "broken.png" not in problems


def test_a_content_folder_brings_its_references_and_their_style(run, tmp_path):
    bibliography = (
        "@misc{doe2020,\n  author = {Doe, Jan},\n  title = {On traces},\n  year = {2020},\n}\n"
    )
    site = "name: Site\ncitation_style: numbered\n"
    folder = write_files(tmp_path, {"site.yaml": site, "references.bib": bibliography})
    html, _problems = run("--content", str(folder), given=b"See [@doe2020].")
    assert "On traces" in html
    assert ">1</a>" in html


def test_a_figure_that_the_site_would_refuse_is_named(run, tmp_path):
    folder = write_files(tmp_path, FOLDER)
    _html, problems = run("--content", str(folder), given=b"![x](figures/broken.png) $\\N$")
    assert problems.startswith("refused: figures/broken.png: ")


def test_a_content_folder_brings_the_names_of_its_notes(run, tmp_path):
    redirects = "- kind: note\n  from: old\n  to: a\n- kind: note\n  from: gone\n"
    folder = write_files(tmp_path, {"notes/a.md": NOTE, "redirects.yaml": redirects})
    source = b"[[a]] [[a#anything]] [[old]] [[gone]]"
    _html, problems = run("--content", str(folder), "--problems", given=source)
    assert [line.split(":")[1:3] for line in problems.splitlines()] == [
        ["1", "30 error unknown-note"]
    ]


def test_a_folder_without_content_is_refused(run, tmp_path):
    with pytest.raises(CommandError, match="no content folder"):
        run("--content", str(tmp_path))


def test_a_file_that_is_not_there_or_not_utf_8_is_refused_with_its_line(run, tmp_path):
    with pytest.raises(CommandError, match="can't be read"):
        run(str(tmp_path / "none.md"))
    (tmp_path / "a.md").write_bytes(b"so\n\xff")
    with pytest.raises(CommandError, match="a.md:2: This is not UTF-8"):
        run(str(tmp_path / "a.md"))


def test_answers_lines_in_order_and_goes_on_after_a_bad_one(run):
    lines = [
        json.dumps({"id": 1, "source": "*a*"}),
        "no json",
        json.dumps({"id": 3}),
        json.dumps(["source"]),
        "",
        '{"id": NaN, "source": "a"}',
        "[" * 100_000,
        json.dumps({"id": {"any": [None]}, "source": "\ud800 ![](figures/x.png)"}),
        json.dumps({"source": "b", "more": 1}),
    ]
    out, _error = run("--json-lines", given="\n".join(lines).encode() + b"\n\xff\n")
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == len(lines) + 1
    assert answers[0] == {"id": 1, "html": "<p><em>a</em></p>\n", "problems": []}
    for place in (1, 2, 3, 4, 5, 6, 9):
        assert answers[place]["id"] is None
        assert answers[place]["error"].startswith(f"line {place + 1}: ")
    assert answers[7]["id"] == {"any": [None]}
    assert [problem["code"] for problem in answers[7]["problems"]] == ["unknown-figure"]
    assert answers[8]["id"] is None
    assert answers[8]["html"] == "<p>b</p>\n"


def test_a_line_past_the_bound_costs_itself_alone(run, monkeypatch):
    monkeypatch.setattr("notesite.json_lines.LINE_BYTES", 40)
    long = json.dumps({"id": 1, "source": "a" * 200})
    short = json.dumps({"id": 2, "source": "b"})
    out, _error = run("--json-lines", given=f"{long}\n{short}\n".encode())
    assert ["error" in json.loads(line) for line in out.splitlines()] == [True, False]


def test_a_fault_of_the_pipeline_costs_one_line(run, monkeypatch):
    def render(source, inputs):
        raise RuntimeError(source)

    monkeypatch.setattr("notesite.management.commands.render.render", render)
    out, _error = run("--json-lines", given=b'{"id": 1, "source": "a"}\n' * 2)
    assert [json.loads(line)["error"] for line in out.splitlines()] == [
        "line 1: RuntimeError: a",
        "line 2: RuntimeError: a",
    ]


def test_plain_commonmark_has_no_extensions_and_no_sanitiser(run):
    source = b"~~a~~ $x$\n\n<script>b</script>\n"
    assert run("--commonmark", given=source)[0] == "<p>~~a~~ $x$</p>\n<script>b</script>\n"
    line = json.dumps({"id": 1, "source": "- [ ] a"}).encode()
    assert json.loads(run("--commonmark", "--json-lines", given=line)[0]) == {
        "id": 1,
        "html": "<ul>\n<li>[ ] a</li>\n</ul>\n",
        "problems": [],
    }


def test_needs_no_database_makes_no_folder_and_answers_each_line_at_once(tmp_path):
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    data = tmp_path / "data"
    process = subprocess.Popen(
        [sys.executable, "manage.py", "render", "--json-lines"],
        env=environment | {"NOTESITE_DATA": str(data), "LC_ALL": "C"},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for number in range(3):
        process.stdin.write(json.dumps({"id": number, "source": "–"}).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == number
    _out, error = process.communicate(timeout=20)
    assert (process.returncode, error) == (0, b"")
    assert not data.exists()
