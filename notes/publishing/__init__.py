"""Every write to a note and to what belongs to it, each in one transaction.

A write cleans, validates, compares and moves the version, renders, and brings mentions, revision,
redirect and site revision along. Admin, commands and import call these verbs and nothing else.
"""

from notes.publishing.bibliography import Added, Plan, add_references, plan_references
from notes.publishing.conflicts import Conflict, RetiredSlug
from notes.publishing.errors import ErrorsInText, errors_of
from notes.publishing.figures import (
    add_figure,
    delete_figure,
    missing_files,
    renew_copies,
    replace_figure,
    save_figure,
)
from notes.publishing.pending import discard_pending, release_due, release_pending, save_pending
from notes.publishing.references import delete_reference, save_reference
from notes.publishing.rendering import refresh, render_text, rerender
from notes.publishing.saving import save_note, write_public_states
from notes.publishing.short_texts import ShortText, render_short, short_texts
from notes.publishing.states import (
    erase,
    publish,
    purge_trash,
    reinstate,
    restore,
    trash,
    unpublish,
    withdraw,
)
from notes.publishing.topics import delete_topic, order_topics, save_topic

__all__ = [
    "Added",
    "Conflict",
    "ErrorsInText",
    "Plan",
    "RetiredSlug",
    "ShortText",
    "add_figure",
    "add_references",
    "delete_figure",
    "delete_reference",
    "delete_topic",
    "discard_pending",
    "erase",
    "errors_of",
    "order_topics",
    "plan_references",
    "publish",
    "purge_trash",
    "refresh",
    "reinstate",
    "release_due",
    "release_pending",
    "render_short",
    "render_text",
    "missing_files",
    "renew_copies",
    "replace_figure",
    "rerender",
    "restore",
    "save_figure",
    "save_note",
    "save_pending",
    "save_reference",
    "save_topic",
    "short_texts",
    "trash",
    "unpublish",
    "withdraw",
    "write_public_states",
]
