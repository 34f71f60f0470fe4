"""Values of options from their text; one that makes no sense is refused, saying how to write it."""

from __future__ import annotations

import argparse
import re

from transforms.model.caps import Cap

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}


def size(text: str) -> int:
    """A size in bytes: `65536`, `64KiB`, `8MiB`, `1.5GB`."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]{0,3})", text.strip())
    if match is None or match[2].lower() not in _UNITS:
        raise argparse.ArgumentTypeError(f"{text!r} is no size: write it as 128MiB")
    number = int(float(match[1]) * _UNITS[match[2].lower()])
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no size: at least a byte")
    return number


def cap_value(cap: Cap, text: str) -> int:
    """A cap, as a size or a number within its bounds."""
    number = size(text) if cap.about.is_size else positive(text)
    if not cap.about.least <= number <= cap.about.most:
        raise argparse.ArgumentTypeError(f"{text!r} is not from {cap.about.least} to {cap.about.most}")
    return number


def split_size(text: str) -> int:
    """A size, or 0."""
    return 0 if text.strip() == "0" else size(text)


def seconds(text: str) -> float:
    """A number of seconds, more than none."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text) or float(text) <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")
    return float(text)


def positive(text: str) -> int:
    """A whole number from 1."""
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def line_slice(text: str) -> tuple[int, int | None]:
    """A half-open range of lines: `0:90`, `90:`."""
    match = re.fullmatch(r"([0-9]{0,12}):([0-9]{0,12})", text)
    if match is None or (match[2] and int(match[2]) <= int(match[1] or 0)):
        raise argparse.ArgumentTypeError(f"{text!r} is no range of lines: write it as 0:90")
    return int(match[1] or 0), int(match[2]) if match[2] else None


def statuses(text: str) -> tuple[tuple[int, int], ...]:
    """Ranges of HTTP statuses, ends included: `200-299,404`."""
    ranges = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{3})(?:-([0-9]{3}))?\s*", part)
        if match is None or (match[2] and match[2] < match[1]):
            raise argparse.ArgumentTypeError(f"{part!r} is no range of statuses: write it as 200-299")
        ranges.append((int(match[1]), int(match[2] or match[1])))
    return tuple(ranges)


def record_types(text: str) -> tuple[str, ...]:
    """WARC record types that could hold a page, sorted: `response,resource`."""
    kinds = tuple(sorted({part.strip().lower() for part in text.split(",")}))
    for kind in kinds:
        if kind not in (
            "response",
            "resource",
            "conversion",
            "revisit",
            "request",
            "metadata",
            "continuation",
        ):
            raise argparse.ArgumentTypeError(f"{kind!r} is no WARC record type that could hold a page")
    return kinds


def regex(text: str) -> str:
    """A regular expression."""
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None
    return text


def pair(text: str) -> tuple[str, str]:
    """A name and a value: `K=V`."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is no option: write it as smoothing=literal")
    return name, value
