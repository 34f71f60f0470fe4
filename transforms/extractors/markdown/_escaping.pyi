"""What keeps text from being read as marks; see `_escaping.pyx`."""

def described(text: str) -> str:
    """A description of an image within square brackets."""

def escaped(text: str, links: int, around: int) -> str:
    """A line, or a piece of one, with a backslash where CommonMark would read a mark.

    Args:
        text: what has no marks in it.
        links: the byte up to which square brackets may open links.
        around: what is around, added up: 1 marks before it, 2 marks after it, 4 a cell, 8 dollars that have
            a meaning, 16 two tildes, 32 a link that brackets would break, 64 one whose brackets are pairs.
    """

def begun(text: str) -> str:
    """A written line, with a backslash where it would begin something else than a paragraph."""

def code_span(text: str, in_cell: bool) -> str:
    """Text, of which there is some, between as many backticks as it has none of."""
