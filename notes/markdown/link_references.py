"""Link references, `[a]: https://a.example/`, as often as their addresses fit into a page.

Each `[a]` is three characters that become a whole address and title: without a bound, a text of a
hundred kilobytes makes gigabytes.
"""

from notes.markdown import bounds
from notes.markdown.work import Work


class LinkReferences(dict[str, dict[str, object]]):
    """What the parser looks labels up in; past the bound they are none."""

    def __init__(self, work: Work) -> None:
        super().__init__()
        self.work = work
        self.left = bounds.REFERRED_CHARACTERS

    def get(self, label: str, default: object = None) -> object:  # type: ignore[override]
        """The reference, whose length is counted."""
        found = super().get(label)
        if found is None:
            return default
        length = len(str(found["href"])) + len(str(found["title"]))
        if length > self.left:
            what = "Addresses of link references are repeated too often"
            line = found["map"][0] + 1  # type: ignore[index]
            limit = bounds.REFERRED_CHARACTERS
            self.work.problems.add("past-bound", line, what=what, limit=limit)
            return default
        self.left -= length
        return found
