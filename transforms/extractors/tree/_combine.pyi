"""How much of the text of a page of XML lies in ranges of it."""

from transforms.extractors.extraction import Ranges
from transforms.extractors.html.characters import Offsets

def solid_chars(xml: bytes, texts: Ranges, ranges: Ranges) -> Offsets:
    """Count the code points, blanks left out, of each text that lie in ranges of the page.

    Args:
        xml: the page, UTF-8.
        texts: where its m texts start and stop, in bytes; in order, none overlaps another.
        ranges: the ranges, in bytes; both starts and stops rise.

    Returns:
        int64 (m,).
    """
