"""The sentence that a link stands in, for the page of the note that it leads to."""

import re

END = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*\s+(?=[^\sa-z\d(\[])|(?<=[。！？])")
NEAR = 600  # characters before and after; more is not read, so that each link costs the same
LONGEST = 300


def sentence_around(pieces: list[str], index: int) -> str:
    """The sentence at piece ``index`` of a block's text; blocks are parted by line breaks."""
    before, size, place = [], 0, index - 1
    while place >= 0 and pieces[place] != "\n" and size < NEAR:
        before.append(pieces[place][-NEAR:])
        size += len(before[-1])
        place -= 1
    after, size, place = [], 0, index
    while place < len(pieces) and pieces[place] != "\n" and size < NEAR:
        after.append(pieces[place][:NEAR])
        size += len(after[-1])
        place += 1
    text = "".join(reversed(before))
    position = len(text)
    text += "".join(after)
    start, end = 0, len(text)
    for match in END.finditer(text):
        if match.end() <= position:
            start = match.end()
        elif match.start() > position:
            end = match.start()
            break
    return shortened(text[start:position], text[position:end])


def shortened(before: str, after: str) -> str:
    """The words around the link, at most three hundred characters of them."""
    sentence = " ".join((before + after).split())
    if len(sentence) <= LONGEST:
        return sentence
    start = max(0, min(len(" ".join(before.split())) - LONGEST // 2, len(sentence) - LONGEST))
    cut = sentence[start : start + LONGEST - 2].strip()
    opening = "…" if start else ""
    return f"{opening}{cut}…" if start + LONGEST - 2 < len(sentence) else f"{opening}{cut}"
