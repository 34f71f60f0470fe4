"""One page for a person: from an HTML file, a record of an archive or a table, or a corpus.

A corpus has the page's outcome and the place of its record. Reading and decoding are the main job's, but any
record type with a page is read, and any status.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.mask_options import mask_of_corpus
from cedar.pipelines.common.shared_options import ExtractorOptions
from cedar.pipelines.common.terminal import escape_controls, shell_command
from cedar.transforms.curation.masks import NO_MASK, Mask
from cedar.transforms.decode.charset import decode_text
from cedar.transforms.decode.media import is_html
from cedar.transforms.decode.page import PageFilter, decode_record
from cedar.transforms.decode.prescan import declared_language
from cedar.transforms.extractors import registry
from cedar.transforms.files.http_options import COMMON_CRAWL, WebConfig, is_web, without_secrets
from cedar.transforms.files.input_kinds import (
    RECORD_SUFFIXES,
    UNREAD,
    UNREAD_SUFFIXES,
    InputError,
    has_suffix,
)
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.files.retry import INTERACTIVE
from cedar.transforms.files.storage import StoredFile, is_uri
from cedar.transforms.files.stores import StoredPath, source_for, storage_for
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.limits import DEFAULT_MAX_BODY
from cedar.transforms.model.records import ROW, Location, Page, Record
from cedar.transforms.readers.choices import InputOptions, ReadOptions
from cedar.transforms.warc.members import FileWindow
from cedar.transforms.warc.reader import FileRange, ReadEnd
from cedar.transforms.warc.recognise import recognise
from cedar.transforms.warc.records import parse_date

if TYPE_CHECKING:
    from cedar.transforms.corpus.corpus_reader import CorpusReader


_ANY = PageFilter(
    record_types=frozenset({"response", "resource", "conversion"}), statuses=((0, 999),), plain_text=True
)
_NAMED = 5  # URLs that a message lists
_NAMED_CAPTURES = 20  # captures that a note lists
_PLACE = ("url", "source", "offset", "inner_offset")
_RECORD = ("source", "offset", "inner_offset")
_FETCHED = "fetched_at"
_DAY = r"\d{4}(?:-\d\d(?:-\d\d)?)?"
_TIME = r"\d\d(?::\d\d(?::\d\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?"
_AT = re.compile(rf"\d{{4,17}}|{_DAY}|\d{{4}}-\d\d-\d\d[Tt ]{_TIME}", re.ASCII)
"""A date as `--at` takes it, or its beginning."""


def read_page(place: "PageSource", url: str | None, web: WebConfig) -> Page:
    """Read one page: of an archive or a table the record with the URL; of several the first that is a page.

    Raises UsageError without such a file or record, or if it is not a page.
    """
    path, offset = place.path, place.offset
    shown = without_secrets(path)
    if place.outcome is not None and path.startswith(COMMON_CRAWL) and web.crawl_root == COMMON_CRAWL:
        shown += " (--crawl-root names a mirror, if the corpus was made from one)"
    if Path(path).is_dir():  # to list its files may take long
        raise UsageError(f"{path} is a directory: name a file in it")
    if is_web(path) and path.endswith("/"):
        raise UsageError(f"{path} is no file: write `curl -sL {path} -o page.html`, and name page.html")
    if has_suffix(path, UNREAD_SUFFIXES):
        raise UsageError(f"{path}: {UNREAD}")
    with usage_errors(OSError, ValueError, saying=f"cannot read {shown}"), usage_errors(InputError):
        client = None
        if not Path(path).is_file():
            from cedar.transforms.files.http_client import (
                Web,  # here, where it is asked for: a file needs none
            )

            client = Web(replace(web, retry_policy=INTERACTIVE))
        (file, *more) = list_inputs([path], web=client)
        if more:
            raise UsageError(f"{shown} is {len(more) + 1} files: name one")
        if place.outcome is None and place.input_options != InputOptions():
            from cedar.transforms.readers.kinds import refuse_unused

            refuse_unused(place.input_options, [file.path])
        source = source_for(file.place, client)
        with source.open() as opened:
            if has_suffix(file.path, RECORD_SUFFIXES) or (
                file.size and not isinstance(recognise(FileWindow(opened, file.size)), str)
            ):
                return _from_archive(file, source, url, place=place)
            if (url is not None or offset is not None) and place.outcome is None:
                raise UsageError(f"not a WARC or ARC file: {shown} (leave out --url and --offset)")
            opened.seek(0)
            body = opened.read(DEFAULT_MAX_BODY + 1)
    page = _from_bytes(body, shown)
    return page if url is None else replace(page, url=url)


def read_standard_input(url: str | None, offset: int | None) -> Page:
    """Read one page of HTML from standard input; raise UsageError if a record is asked for, or none comes."""
    if url is not None or offset is not None:
        raise UsageError("standard input is one page: leave out --url and --offset")
    if sys.stdin is None:
        raise UsageError("standard input is closed: give a file, or pipe a page in")
    with usage_errors(OSError, saying="cannot read standard input"):
        body = sys.stdin.buffer.read(DEFAULT_MAX_BODY + 1)
    return _from_bytes(body, "standard input")


def _from_bytes(body: bytes, source: str) -> Page:
    """Return the page in some bytes, one more than the cap where there are more; it has no URL.

    Raises UsageError: they are of another format.
    """
    if not is_html("text/html", body):
        raise UsageError(f"{source} is not HTML: it begins as a PDF, a picture or an archive does")
    cut = len(body) > DEFAULT_MAX_BODY
    text = decode_text(body[:DEFAULT_MAX_BODY], header_label=None, truncated=cut)
    size = min(len(body), DEFAULT_MAX_BODY)
    return Page(
        location=Location(shard="", source=source, offset=0, length=size),
        url="",
        record_id=None,
        fetched_at=None,
        status=None,
        media_type=None,
        charset=text.charset,
        charset_source=text.source.value,
        replaced=text.replaced,
        truncated=cut,
        lang=declared_language(text.utf8),
        html=text.utf8,
        html_bytes=size,
        html_chars=text.chars,
    )


def _from_archive(file: StoredFile, source: StoredPath, url: str | None, *, place: "PageSource") -> Page:
    chosen = None
    if place.at is not None:
        chosen = _capture_in_archive(file, source, url, place=place)
        place = replace(place, offset=chosen.offset)
    offset = place.offset
    refusals, seen = [], []
    for record in _records(file, source, place):
        if url is not None and record.url != url:
            continue
        if chosen is not None and record.location.inner_offset != chosen.inner_offset:
            continue
        try:
            page = decode_record(record, _ANY)
        except RejectedError as error:
            name = record.url or f"the record at {record.location.offset}"
            refusals.append(escape_controls(f"not a page: {name} ({error})"))
            continue
        seen.append(page)
        if url is not None or offset is not None or len(seen) > _NAMED:
            break
    if not seen:
        if refusals and (url is not None or offset is not None):
            raise UsageError(refusals[0])
        wanted = f"no record with the URL {url}" if url is not None else "no page"
        if url is None and offset is None:
            wanted += f" ({refusals[0]})" if refusals else ": no record is in it (HTML is read unpacked)"
        if place.outcome is not None:
            raise UsageError(f"{file.path} has changed since the corpus was made: it has {wanted} there")
        raise UsageError(f"{file.path} has {wanted}{'' if offset is None else f' at byte {offset}'}")
    if len(seen) > 1:
        urls = escape_controls(", ".join(page.url for page in seen[:_NAMED]))
        more = " and more" if len(seen) > _NAMED else ""
        raise UsageError(f"{file.path} has more than one page: choose with --url one of {urls}{more}")
    return seen[0]


def _capture_in_archive(
    file: StoredFile, source: StoredPath, url: str | None, *, place: "PageSource"
) -> Location:
    """Return where the record of a URL is that was fetched at the date of a place, or nearest to it."""
    assert place.at is not None
    captures = [
        (_date(parse_date(record.date)), record.location)
        for record in _records(file, source, place)
        if record.url == url
    ]
    if not captures:
        raise UsageError(f"{file.path} has no record with the URL {url}")
    return captures[_nearest([date for date, _ in captures], place.at)][1]


def _nearest(dates: Sequence[str], at: str) -> int:
    """Return which of the dates begins as `at` does, or else is nearest to it: the first of several.

    Dates are as in WARC-Date, "" if unknown; `at` may also be digits alone. Raises UsageError for no date.
    """
    is_date = _AT.fullmatch(at) is not None
    for place, date in enumerate(dates):
        if is_date and _digits(date).startswith(_digits(at)):
            return place
    moment = parse_date(at) if is_date else None
    if moment is None:
        raise UsageError(f"--at {at} is no date: write it as 2014-01-03, or as 20140103023000")
    moments = ((place, parse_date(date)) for place, date in enumerate(dates))
    distances = [(abs(when - moment), place) for place, when in moments if when is not None]
    return min(distances)[1] if distances else 0


def _digits(date: str) -> str:
    return re.sub(r"\D", "", date)


def _records(file: StoredFile, source: StoredPath, place: "PageSource") -> Iterator[Record]:
    # Here, where a record is asked for: a page alone needs no Arrow.
    from cedar.transforms.readers.kinds import kind_of

    offset = place.offset
    size = source.stat().size or 0 if file.size is None else file.size
    start, stop = (0, size) if offset is None else (offset, offset + 1)
    if not 0 <= start < size:
        if place.outcome is not None:
            raise UsageError(f"{file.path} has changed since the corpus was made: it is too short now")
        raise UsageError(f"{file.path} has {size} bytes, none at {offset}")
    span = FileRange(source=file.path, size=size, start=start, stop=stop)
    with source.open() as opened:
        options = ReadOptions(kinds=_ANY.record_types, choices=place.input_options)
        for item in kind_of(file.path).read(opened, span, options):
            if isinstance(item, ReadEnd):
                return
            if isinstance(item, Record) and item.kind in (*_ANY.record_types, ROW):
                yield item


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSource:
    """The place of a page; for a page of a corpus also its outcome and how the corpus was made.

    Attributes:
        path: a file or URI: the page, or the archive that its record is in.
        offset: byte of the record's member in the archive, or None where it is not known.
        outcome: what became of it: `kept` (perhaps `marked by RULE`), `dropped by RULE`, or `rejected: WHY`.
        captures: the date of the chosen capture, then the other dates of its URL, each once, if there are
            others; "" for an unknown date.
        at: the date of a capture in an archive; the nearest is read.
        input_options: how inputs that are no archives are read.
    """

    path: str
    offset: int | None
    extractor: ExtractorOptions | None = None
    outcome: str | None = None
    input_options: InputOptions = field(default_factory=InputOptions)
    mask: Mask = NO_MASK
    captures: tuple[str, ...] = ()
    at: str | None = None


def find_page(
    path: str, url: str | None, offset: int | None, *, input_options: InputOptions, at: str | None = None
) -> PageSource:
    """Return the place of a page, looked up by its URL if the path is a corpus.

    `input_options` are for inputs other than a corpus. Of several captures the first is taken, or the one
    that was fetched `at` a date, or nearest to it.

    Raises UsageError if the corpus has no such page.
    """
    if not _is_corpus(path):
        if at is not None and offset is not None:
            raise UsageError("--offset names one capture: leave out --at")
        return PageSource(path=path, offset=offset, input_options=input_options, at=at)
    if offset is not None:
        raise UsageError(f"{path} is a corpus: --offset is for archives, choose a page of it with --url")
    return _find_in_corpus(path, url, at)


def extractor_of_corpus(described: Mapping[str, Any]) -> ExtractorOptions:
    """Return the extractor that made a corpus, with the options that differ from their defaults."""
    name = str(described.get("extractor", registry.DEFAULT))
    try:
        given = json.loads(str(described.get("extractor_options", "{}")))
        defaults = {spec.name: _plain(spec.default) for spec in registry.get(name).option_specs}
        given = given.items()
    except (ValueError, AttributeError):
        return ExtractorOptions(name)
    plain = ((key, _plain(value)) for key, value in given)
    return ExtractorOptions(name, tuple((key, value) for key, value in plain if defaults.get(key) != value))


def explain_command(described: Mapping[str, Any], source: str, url: str, *, offset: int) -> str:
    """Return the command that draws a page from its record, by the extractor of its corpus."""
    place = [f"--url={url}", f"--offset={offset}", f"--extractor={extractor_of_corpus(described).label}"]
    return shell_command(["cedar", "explain", source, *place])


def source_of_row(described: Mapping[str, Any], source: str, offset: int, *, outcome: str) -> PageSource:
    """Return the place of a row's page, in the corpus of this `corpus.json`."""
    names = {field.name for field in fields(InputOptions)}
    return PageSource(
        path=source,
        offset=offset,
        outcome=outcome,
        extractor=extractor_of_corpus(described),
        input_options=InputOptions(**{name: value for name, value in described.items() if name in names}),
        mask=mask_of_corpus(described),
    )


def _is_corpus(path: str) -> bool:
    """Tell whether a directory or URI is a corpus, or a result that a reader of corpora refuses by its name.

    Web servers have no corpora.
    """
    if not is_uri(path):
        return any(Path(path, f"{name}.json").is_file() for name in ("corpus", "dedup", "export"))
    try:
        return not is_web(path) and storage_for(path).read(f"{path.rstrip('/')}/corpus.json") is not None
    except OSError:
        return False


def _find_in_corpus(path: str, url: str | None, at: str | None) -> PageSource:
    """Return the place of the first capture of a URL, or of the one fetched `at` a date or nearest to it.

    For a revisit it is the place of the capture that it refers to.
    """
    from cedar.transforms.corpus.corpus_reader import CorpusReader  # here, where a corpus is asked for

    source = CorpusReader.at(path)
    urls: list[str] = []
    captures: list[tuple[str, str, dict[str, Any]]] = []
    for kind, row in _rows(source):
        if url is not None and row["url"] == url and row.get("reason") != RejectReason.NOT_RESPONSE:
            captures.append((_date(row.get(_FETCHED)), kind, row))
        elif len(urls) < _NAMED and row["url"] and (url is None or url in row["url"]):
            urls.append(row["url"])
            if url is None and len(urls) == _NAMED:
                break
    if captures and at is not None:
        captures += _revisits_of(source, url, captures)
    if captures:
        dates = [date for date, _, _ in captures]
        date, kind, row = captures[0 if at is None else _nearest(dates, at)]
        others = sorted(set(dates) - {date})
        place = source_of_row(source.described, row["source"], row["offset"], outcome=_outcome(kind, row))
        return replace(place, captures=(date, *others) if others else ())
    known = f"{'' if url is None else ' like it'}, as {', '.join(urls)}" if urls else ""
    if url is None:
        raise UsageError(f"{path} is a corpus: choose a page of it with --url{known}")
    if any(row["url"] == url for row in source.rows("revisits", ("url",))):
        raise UsageError(f"{path} has only revisits of {url}: `cedar revisits` finds what they refer to")
    raise UsageError(f"{path} has no page with the URL {url}{': choose one' + known if urls else ''}")


def _revisits_of(
    source: "CorpusReader", url: str | None, captures: Sequence[tuple[str, str, dict[str, Any]]]
) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the revisits of a URL that refer to one of its captures: dates, and that capture's row."""
    from cedar.transforms.corpus.revisits import resolved_revisits  # here, where a date is asked for

    by_place = {tuple(row[name] for name in _RECORD): (kind, row) for _, kind, row in captures}
    found = []
    for revisit, original in resolved_revisits(source, ()):
        place = (original.original_source, original.original_offset, original.original_inner_offset)
        if revisit.url == url and place in by_place:
            found.append((_date(revisit.fetched_at), *by_place[place]))
    return found


def other_captures(place: PageSource) -> str | None:
    """Return a note on the chosen capture and the others of its URL; None if it is the only one."""
    if not place.captures:
        return None
    taken, *others = place.captures
    more = f", and {len(others) - _NAMED_CAPTURES} more" if len(others) > _NAMED_CAPTURES else ""
    dates = ", ".join(date or "no date" for date in others[:_NAMED_CAPTURES])
    return f"the capture of {taken or 'no date'}; choose another one with --at: {dates}{more}"


def _date(value: object) -> str:
    """Return the time of a capture as in WARC-Date; "" if it is unknown."""
    if isinstance(value, int):
        value = datetime.fromtimestamp(value / 1e6, UTC)
    return value.strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(value, datetime) else ""


def _plain(value: object) -> str:
    """Return a value of an option as the command line takes it."""
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rows(source: "CorpusReader") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield all rows with the kind of their file, pages first."""
    summaries = list(source.summaries())
    marks = ("drop_reason",) if "drop_reason" in source.groups else ()
    for kind, reasons in (("pages", marks), ("dropped", ("drop_reason",)), ("rejects", ("reason", "detail"))):
        for summary in summaries:
            for _, batch in source.batches(summary, kind, (*_PLACE, _FETCHED, *reasons)):
                for row in batch.to_pylist():
                    yield kind, row


def _outcome(kind: str, row: Mapping[str, Any]) -> str:
    if kind == "pages":
        return f"kept, marked by {row['drop_reason']}" if row.get("drop_reason") else "kept"
    if kind == "dropped":
        return f"dropped by {row['drop_reason']}"
    return f"rejected: {row['reason']}" + (f" ({row['detail']})" if row["detail"] else "")
