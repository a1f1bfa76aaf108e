"""Scripts that write without spaces between words: their letters and their punctuation."""

import re

from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned

# Chinese and Japanese marks, and the wide forms of ASCII's; no letters (々〆〇).
MARKS = "\u3001-\u3004\u3008-\u3020\u3030\u303d\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
LETTERS = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
MARK = re.compile(f"[{MARKS}]")
LETTER_OR_MARK = re.compile(f"[{MARKS}{LETTERS}]")


class Inlines(StateInline):
    """Emphasis beside these scripts, which CommonMark judges by spaces: `**「強調」**です`.

    A sign may open after any of their characters and before their marks, and close the other way
    round, as the "CJK-friendly" amendment to CommonMark has it. Underscores stay for whole words.
    """

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803
        scanned = super().scanDelims(start, canSplitWord)
        if not canSplitWord:
            return scanned
        end = start + scanned.length
        before = self.src[start - 1] if start else " "
        after = self.src[end] if end < self.posMax else " "
        can_open = not after.isspace() and (LETTER_OR_MARK.match(before) or MARK.match(after))
        can_close = not before.isspace() and (LETTER_OR_MARK.match(after) or MARK.match(before))
        return Scanned(
            scanned.can_open or bool(can_open), scanned.can_close or bool(can_close), scanned.length
        )
