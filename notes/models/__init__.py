"""Notes and what belongs to them; everything public starts from ``Note.objects.published()``."""

from notes.models.figure import Figure
from notes.models.mention import Mention
from notes.models.note import Note
from notes.models.reference import Reference
from notes.models.revision import PendingVersion, Revision
from notes.models.topic import Topic

__all__ = ["Figure", "Mention", "Note", "PendingVersion", "Reference", "Revision", "Topic"]
