"""Values of options from their text; one that is not valid is refused, with how to write it."""

import argparse
import re

from cedar.pipelines.common.terminal import quoted
from cedar.transforms.model.options import Option, shown_size
from cedar.transforms.urls.sample import SampleSize

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_MAX_SIZE = 1 << 60
_SIZES = "from 1 byte to 1 EiB, as 128MiB"

_MIN_SPLIT_BYTES = 64 << 10
"""Bytes of a shard below which opening and closing it costs more than reading it."""

LOCAL_RUNNERS = ("local", "DirectRunner", "FnApiRunner")
"""Names of the local runner: supervised processes, each running the graph in memory."""

RUNNERS = (*LOCAL_RUNNERS, "FlinkRunner", "DataflowRunner", "PrismRunner", "PortableRunner", "SparkRunner")


def invalid_value(what: str, text: str, hint: str) -> argparse.ArgumentTypeError:
    """Return the error that refuses a value, with a hint how to write it."""
    return argparse.ArgumentTypeError(f"not a valid {what}: {quoted(text)} ({hint})")


def _bytes(text: str) -> int:
    """Read a size in bytes, 0 too: `65536`, `64KiB`, `8MiB`, `1.5GB`."""
    match = re.fullmatch(r"([0-9]{1,20})(?:\.([0-9]{1,20}))?\s*([A-Za-z]{0,3})", text.strip())
    if match is None or match[3].lower() not in _UNITS:
        raise invalid_value("size", text, "write it as 128MiB")
    decimals = match[2] or ""
    given = int(match[1] + decimals) * _UNITS[match[3].lower()] // int("1" + "0" * len(decimals))
    if given > _MAX_SIZE:
        raise invalid_value("size", text, _SIZES)
    return given


def size(text: str) -> int:
    """Return a size in bytes, from 1 to 1 EiB."""
    given = _bytes(text)
    if not given:
        raise invalid_value("size", text, _SIZES)
    return given


def bounded(about: Option, text: str) -> int:
    """Return a size or a number within an option's bounds."""
    if about.unit == "size":
        given = _bytes(text)
    elif about.maximum:
        given = int(text) if re.fullmatch(r"[0-9]{1,18}", text) else -1
    else:
        return number(text, about.minimum)
    if given < about.minimum or (about.maximum and given > about.maximum):
        shown = shown_size if about.unit == "size" else str
        bounds = f"from {shown(about.minimum)} to {shown(about.maximum)}"
        if not about.maximum:
            bounds = f"at least {shown(about.minimum)}"
        if about.unit == "size" and text.strip().isdigit() and (given << 20) >= about.minimum:
            bounds += f"; did you mean {text.strip()}MiB?"
        raise invalid_value("size" if about.unit == "size" else "number", text, bounds)
    return given


def split_size(text: str) -> int:
    """Return a size from 64KiB, or 0."""
    given = _bytes(text)
    if given and given < _MIN_SPLIT_BYTES:
        raise invalid_value("split size", text, "at least 64KiB, or 0 for files as they are")
    return given


def seconds(text: str) -> float:
    """Return a number of seconds above 0."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text) or float(text) <= 0:
        raise invalid_value("number of seconds", text, "write it as 10 or 0.5")
    return float(text)


def number(text: str, minimum: int = 1) -> int:
    """Return a whole number, at least the minimum."""
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) < minimum:
        raise invalid_value("number", text, f"a whole number from {minimum}")
    return int(text)


def local_path(text: str) -> str:
    """Return a path on this machine."""
    from cedar.transforms.files.storage import is_uri

    found = path(text)
    if is_uri(found):
        raise invalid_value("path", text, "it is written on this machine alone: write it as pages/out.html")
    return found


def path(text: str) -> str:
    """Return a path or URI; a `file:` URI becomes a path."""
    from cedar.transforms.files.input_kinds import InputError
    from cedar.transforms.files.inputs import without_scheme

    if not text:
        raise argparse.ArgumentTypeError("empty: give a path (is a variable not set?)")
    if text == "-":
        raise invalid_value(
            "path", text, "standard input and output are not taken; a file of this name is ./-"
        )
    if "\0" in text:
        raise invalid_value("path", text, "it has a NUL")
    if text.startswith("cc:"):
        raise invalid_value(
            "path", text, "a crawl is named as an input of cedar extract; a file of this name is ./cc:"
        )
    try:
        return without_scheme(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def sample_size(text: str) -> SampleSize:
    """Return a share of the pages, such as `1%`, or a number of them."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(%?)", text)
    size = 0.0 if match is None else float(match[1])
    if match is not None and match[2] and 0 < size <= 100:
        return SampleSize(share=size / 100)
    if match is not None and not match[2] and size >= 1 and size.is_integer():
        return SampleSize(number=int(size))
    raise invalid_value("sample", text, "write it as 1%, or as 1000 for a number of pages")


def line_slice(text: str) -> tuple[int, int | None]:
    """Return a half-open range of lines: `0:90`, `90:`."""
    match = re.fullmatch(r"([0-9]{0,12}):([0-9]{0,12})", text)
    if match is None or (match[2] and int(match[2]) <= int(match[1] or 0)):
        raise invalid_value("range of lines", text, "write it as 0:90")
    return int(match[1] or 0), int(match[2]) if match[2] else None


def statuses(text: str) -> tuple[tuple[int, int], ...]:
    """Ranges of HTTP statuses, ends included: `200-299,404`."""
    ranges = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{3})(?:-([0-9]{3}))?\s*", part)
        if match is None or (match[2] and match[2] < match[1]):
            raise invalid_value("range of statuses", part, "write it as 200-299")
        ranges.append((int(match[1]), int(match[2] or match[1])))
    return tuple(ranges)


_PAGE_TYPES = ("response", "resource", "conversion", "revisit", "request", "metadata", "continuation")


def record_types(text: str) -> tuple[str, ...]:
    """WARC record types that could hold a page, sorted: `response,resource`."""
    kinds = tuple(sorted({part.strip().lower() for part in text.split(",")}))
    for kind in kinds:
        if kind not in _PAGE_TYPES:
            raise invalid_value("WARC record type of pages", kind, f"one of {', '.join(_PAGE_TYPES)}")
    return kinds


def regex(text: str) -> str:
    """Return a regular expression."""
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        why = "too deep" if isinstance(error, RecursionError) else str(error)
        raise invalid_value("regular expression", text, why) from None
    return text


def pair(text: str) -> tuple[str, str]:
    """Return a name and a value: `K=V`."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise invalid_value("option", text, "write it as smoothing=literal")
    return name, value


def codec(text: str) -> str:
    """Return the name of a compression; which ones there are depends on the format."""
    if not text:
        raise invalid_value("compression", text, "write it as zstd, or leave it out")
    return text


def runner(text: str) -> str:
    """Return the name of a runner, however its letters are written."""
    known = {name.lower(): name for name in RUNNERS}
    if text.lower() not in known:
        import difflib

        close = difflib.get_close_matches(text.lower(), known, 1)
        hint = f"did you mean {known[close[0]]}?" if close else f"one of {', '.join(RUNNERS)}"
        raise invalid_value("runner", text, hint)
    return known[text.lower()]
