"""Texts of a page in which a date or a name is looked for: see `_texts.pyx`."""

from typing import Final

from transforms.extractors.html.reading import PageReading

SHORT: Final[int]
"""Characters of a text that are looked at."""

START: Final[int]
"""Characters of a longer text's beginning."""

def element_text(page: PageReading, tag: int) -> str:
    """Reads the text of the element that a tag starts, blanks collapsed; its beginning, if it is long."""

def element_stop(page: PageReading, tag: int) -> int:
    """Finds the tag that ends the element that a tag starts; the number of tags, if none does.

    Elements of its name may be in it; but a paragraph ends where the next one begins.
    """

def may_hold_date(text: str, most: int) -> bool:
    """Tells whether the first `most` characters of a text have the numbers of a date.

    These are a year of four digits and a number of one or two, or three such numbers. A text without them
    holds no date; one with them may hold none, too.
    """

def texts_with_dates(page: PageReading, first: int, most: int) -> list[tuple[int, int, str, str]]:
    """Finds, among the texts after each of `most` tags, those that may hold a date with a day.

    Args:
        page: the page.
        first: the first of the tags.
        most: how many.

    Returns:
        Of each its number among the texts, from 0, blank ones not counted; the tag before it; the text before
        it, or ""; the text. Blanks are collapsed. A text of which `dates.DateReader.written` reads the first
        `SHORT` characters, or the first `START`, is always among them.
    """
