"""How text reads in the output, by Python's own functions."""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.line_methods import rendered


def blanks_as_spaces(text: bytes) -> bytes:
    """UTF-8 in which every byte of a blank is a space."""
    return b"".join(b" " * len(c.encode()) if c.isspace() else c.encode() for c in text.decode())


def line_texts(coded: bytes, stops: Sequence[int]) -> list[str]:
    """The lines of a text, each of which begins after the byte at which the one before stops."""
    starts = [0, *(stop + 1 for stop in stops)]
    return [rendered(coded[start:stop].decode()) for start, stop in zip(starts, stops, strict=False)]


def kept_text(coded: bytes, stops: Sequence[int], kept: Sequence[bool]) -> str:
    """The lines that are kept, without those in which nothing is visible."""
    lines = zip(line_texts(coded, stops), kept, strict=True)
    return "\n".join(line for line, stays in lines if stays and line)
