import os
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from notes.markdown import Inputs, Problem, place, render
from notes.markdown.conformance import commonmark
from notesite import json_lines
from notesite.content.document import NoteDocument
from notesite.content.inputs import FolderInputs
from notesite.content.report import Outcome, Refusal

STANDARD_INPUT = "-"


class Command(BaseCommand):
    help = "Render Markdown as the site does, without a database."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            metavar="FILE",
            nargs="?",
            default=STANDARD_INPUT,
            help="the source; “-” or nothing: standard input",
        )
        parser.add_argument(
            "--content",
            metavar="DIR",
            type=Path,
            help="take figures, references and macros from this content folder; "
            "FILE may be one of its notes, front matter and all",
        )
        parser.add_argument(
            "--problems", action="store_true", help="name the problems on standard error"
        )
        parser.add_argument(
            "--json-lines",
            action="store_true",
            help='read {"id": …, "source": …} a line, write {"id": …, "html": …, "problems": […]}',
        )
        parser.add_argument(
            "--commonmark",
            action="store_true",
            help="plain CommonMark, unsafe: for conformance suites only",
        )

    def handle(self, *, file: str, content: Path | None, **options: Any) -> None:
        for stream in (self.stdout, self.stderr):
            if reconfigure := getattr(stream, "reconfigure", None):
                reconfigure(encoding="utf-8")  # whatever the terminal's language
        folder = self.read_folder(content) if content else None
        renderer = Renderer(folder, plain=options["commonmark"])
        source = self.open(file)
        try:
            if options["json_lines"]:
                for line in json_lines.answers(source, renderer.as_json):
                    self.stdout.write(line, ending="")
                    self.stdout.flush()
            else:
                html, problems = renderer.file(decoded(source.read(), file))
                self.stdout.write(html, ending="")
                self.stdout.flush()
                for problem in problems if options["problems"] else ():
                    self.stderr.write(f"{file}:{problem}")
        except BrokenPipeError:  # whoever read has read enough; nothing is left to flush
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        finally:
            if source is not sys.stdin.buffer:
                source.close()
        for entry in folder.report.of(Outcome.REFUSED) if folder else ():
            self.stderr.write(f"{entry.outcome}: {entry}")

    def read_folder(self, content: Path) -> FolderInputs:
        try:
            return FolderInputs(content)
        except Refusal as refusal:
            raise CommandError(f"{refusal.file}: {refusal.message} {refusal.cure}") from refusal

    def open(self, file: str) -> BinaryIO:
        if file == STANDARD_INPUT:
            return sys.stdin.buffer
        try:
            return open(file, "rb")
        except OSError as error:
            raise CommandError(
                _("%(file)s can't be read: %(reason)s.") % {"file": file, "reason": error.strerror}
            ) from error


class Renderer:
    """One source after the other, by the pipeline or by plain CommonMark."""

    def __init__(self, folder: FolderInputs | None, *, plain: bool) -> None:
        self.folder, self.plain = folder, plain

    def as_json(self, source: str) -> dict[str, Any]:
        """A line's answer beside its id."""
        html, problems = self.source(source)
        return {"html": html, "problems": [asdict(problem) for problem in problems]}

    def source(
        self, source: str, note: NoteDocument | None = None
    ) -> tuple[str, tuple[Problem, ...]]:
        """The html of a text, and its problems."""
        if self.plain:
            return commonmark(source), ()
        inputs = self.folder.inputs_for(source, note) if self.folder else Inputs()
        rendered = render(source, inputs)
        return str(place(rendered.html)), rendered.problems

    def file(self, text: str) -> tuple[str, list[str]]:
        """The same of a whole file; a note of the content folder brings its front matter."""
        note, above = None, 0
        if self.folder and text.startswith("---"):
            try:
                note, above = self.folder.note_in(text)
            except Refusal as refusal:
                raise CommandError(f"{refusal.line}: {refusal.message} {refusal.cure}") from refusal
        html, problems = self.source(note.source if note else text, note)
        return html, [sentence(problem, above) for problem in problems]


def decoded(data: bytes, file: str) -> str:
    """The text of a file."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CommandError(
            _("%(file)s:%(line)d: This is not UTF-8. Save it as UTF-8 in your editor.")
            % {"file": file, "line": line}
        ) from error


def sentence(problem: Problem, lines_above: int = 0) -> str:
    """`12:5 error bad-formula: message – cure`, with a line number of the file."""
    place_in_file = f"{problem.line + lines_above}:{problem.column}"
    return f"{place_in_file} {problem.severity} {problem.code}: {problem.message} – {problem.cure}"
