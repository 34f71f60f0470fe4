"""Dates as pages write them: ISO 8601, numbers, and names of months."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from transforms.metadata.months import MONTHS

_YEAR = r"((?:19|20)\d\d)"
_WORD = r"([^\W\d_]{3,14})"
_WHOLE_WORD = r"([^\W\d_]{3,14}+)"
_ISO = re.compile(
    rf"{_YEAR}-?(\d\d)-?(\d\d)(?!\d)"
    r"(?:(?:T| |, )(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?(?!\d)"
    r" ?(Z|UTC|GMT|[+-]\d\d:?\d\d|[+-]\d\d(?!\d))?)?",
    re.ASCII,
)
_WRITTEN = re.compile(
    rf"(?<![\d.]){_YEAR}([-/.]) ?([01]?\d)\2 ?([0-3]?\d)(?!\d)"
    rf"|(?<![\d.,/-])([0-3]?\d)([-/.]) ?([01]?\d|[12]\d|3[01])\6 ?({_YEAR}|\d\d)(?!\d|[.,/:-]\d)"
    rf"|(?<!\d)([0-3]?\d)(?:[.º]|st|nd|rd|th|er)?,?[ -]?(?:de |of |d')?"
    rf"{_WORD}[.,]{{0,2}}[ -]?(?:de |del )?,?{_YEAR}(?!\d)"
    rf"|{_WHOLE_WORD}\.? ([0-3]?\d)(?:st|nd|rd|th)?,? {_YEAR}(?!\d)"
    rf"|(?<!\d){_YEAR}[.,]? {_WORD} ([0-3]?\d)(?!\d)"
    rf"|(?<!\d){_YEAR} ?[年년] ?([01]?\d) ?[月월] ?([0-3]?\d)(?!\d)"
)
_CLOCK = re.compile(
    r",?(?: at| um| à|T)? (\d\d):(\d\d)(?::(\d\d))? (Z|UTC|GMT|[+-]\d\d:?\d\d)(?!\d)", re.ASCII
)
_DIGIT = re.compile(r"\d")
_BEFORE_DIGIT = 16
"""Characters of a date before its first digit: the name of a month, a dot and a blank."""

_FIRST = date(1995, 1, 1)

MOST_CHARS = 200
"""Characters of a text in which a date is looked for."""


@dataclass(frozen=True, slots=True)
class DateReader:
    """Reads dates of one page.

    Attributes:
        last: the last day that a date may have; None = any.
        month_first: whether 3/5/2024 is the fifth of March.
    """

    last: date | None = None
    month_first: bool = False

    def declared(self, text: str) -> str | None:
        """Read what was written for programs: ISO 8601 first, with its time and offset; see `written`."""
        found = _ISO.match(text[:MOST_CHARS].strip())
        if found is not None and (day := self._day(found[1], found[2], found[3])):
            return day + _time(found[4], found[5], found[6], found[7])
        return self.written(text)

    def written(self, text: str, within: int = MOST_CHARS) -> str | None:
        """Read the first date in a text, blanks collapsed; its time only where its offset is said, too.

        Args:
            text: the text.
            within: characters of it that are looked at.
        """
        text = text[: min(within, MOST_CHARS)]
        first = _DIGIT.search(text)
        if first is None:
            return None
        start = max(first.start() - _BEFORE_DIGIT, 0)
        while found := _WRITTEN.search(text, start):
            for year, month, day in self._readings(found):
                if read := self._day(year, month, day):
                    clock = _CLOCK.match(text, found.end())
                    return read + (_time(*clock.groups()) if clock else "")
            start = found.start() + 1
        return None

    def compact(self, year: str, month: str, day: str) -> str | None:
        """Check a date of three numbers."""
        return self._day(year, month, day)

    def _readings(self, found: re.Match[str]) -> Iterator[tuple[str, str | int, str]]:
        """What a match may say, the likeliest first."""
        (y, _, m, d, one, _, two, any_year, _, d2, word2, y2, word3, d3, y3, y4, word4, d4, y5, m5, d5) = (
            found.groups()
        )
        if y:
            yield y, m, d
        elif one:
            year = any_year if len(any_year) == 4 else f"20{any_year}"
            first, second = (two, one) if self.month_first else (one, two)
            yield year, second, first
            yield year, first, second
        elif word2:
            yield y2, MONTHS.get(word2.casefold(), 0), d2
        elif word3:
            yield y3, MONTHS.get(word3.casefold(), 0), d3
        elif word4:
            yield y4, MONTHS.get(word4.casefold(), 0), d4
        else:
            yield y5, m5, d5

    def _day(self, year: str, month: str | int, day: str) -> str | None:
        try:
            read = date(int(year), int(month), int(day))
        except ValueError:
            return None
        return read.isoformat() if read >= _FIRST and (self.last is None or read <= self.last) else None


def day_after(day: date) -> date:
    """The next day: pages of the east are dated ahead of UTC."""
    return day + timedelta(days=1) if day < date.max else day


def _time(hour: str | None, minute: str | None, second: str | None, offset: str | None) -> str:
    """The time of a date as ISO 8601 writes it, from the `T` on; "" where it is none."""
    if hour is None or minute is None or int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return ""
    written = f"T{hour}:{minute}:{second or '00'}"
    if offset is None:
        return written
    if offset in ("Z", "UTC", "GMT"):
        return f"{written}+00:00"
    digits = offset[1:].replace(":", "").ljust(4, "0")
    if int(digits[:2]) > 14 or int(digits[2:]) > 59:
        return written
    return f"{written}{offset[0]}{digits[:2]}:{digits[2:]}"
