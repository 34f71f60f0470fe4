"""What keeps text from being read as marks; see `_escaping.pyx`."""

def escaped_line(text: str, links: int, around: int) -> str:
    """A line without marks, with a backslash where CommonMark would read one.

    Args:
        text: a line that is not empty.
        links: the byte up to which square brackets may open links.
        around: 4 in a cell, 8 where dollars have a meaning, 16 where there are two tildes, added up.
    """

def code_span(text: str, in_cell: bool) -> str:
    """Text between as many backticks as it has none of."""
