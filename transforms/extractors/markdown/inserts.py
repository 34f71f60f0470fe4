"""What is written in the place of tags: images, and what refers to footnotes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Insert:
    """What is written in the place of the tags [first, last], and of the text between them.

    Attributes:
        first: its first tag.
        last: its last tag.
        written: as Markdown has it in a paragraph; "" where it is left out.
        link: the start tag of the link around it; -1 where it stands in none.
    """

    first: int
    last: int
    written: str
    link: int = -1

    @property
    def is_display(self) -> bool:
        """Whether it stands on a line of its own."""
        return False

    def inline(self, in_cell: bool) -> str:
        """Write it within a line."""
        return self.written.replace("|", "\\|") if in_cell else self.written

    def apart(self) -> None:
        """It has no other form on a line of its own."""
