"""The admin of notes: declared here, written through ``notes.publishing``."""

from notes.admin.figure import FigureAdmin
from notes.admin.note import NoteAdmin
from notes.admin.reference import ReferenceAdmin
from notes.admin.topic import TopicAdmin

__all__ = ["FigureAdmin", "NoteAdmin", "ReferenceAdmin", "TopicAdmin"]
