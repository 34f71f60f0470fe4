"""The stages of a page's way, each to be run alone: for the clock, for counters, for callgrind.

What a stage works on is made before; a stage is a function of nothing that can be called again and again.
None of this imports Beam.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from pathlib import Path

from cedar.transforms.corpus.formats import OutputFormat, open_writer
from cedar.transforms.decode.charset import decode_text
from cedar.transforms.decode.http import decode_body, parse_http
from cedar.transforms.decode.media import charset_label, is_html, media_type
from cedar.transforms.decode.page import PageFilter, decode_record
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.metadata.reading import page_metadata
from cedar.transforms.model.columns import PageTable
from cedar.transforms.model.costs import Cost
from cedar.transforms.model.limits import DEFAULT_MAX_BODY
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.model.records import Location, PageRow, Record
from cedar.transforms.runtime.extract_plan import ExtractPlan
from cedar.transforms.runtime.page_extractor import extracted_page
from cedar.transforms.warc.gzip_members import GzipMembers
from cedar.transforms.warc.members import FileWindow
from cedar.transforms.warc.reader import FileRange, read_records

Work = Callable[[], object]

_MAX_RUNS = 5


def seconds_of(work: Work, seconds: float) -> float:
    """CPU seconds of one run of `work`: the least of a few that take `seconds`, after one to warm up."""
    work()
    found = []
    while len(found) < _MAX_RUNS and (not found or sum(found) < seconds):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def read_stages(path: str) -> dict[str, Work]:
    """Inflating the members of a .warc.gz file, and reading its records (which inflates them, too)."""
    data = Path(path).read_bytes()

    def inflate() -> None:
        window = FileWindow(io.BytesIO(data), len(data))
        container, at = GzipMembers(window), 0
        while at < len(data):
            member = container.open(at)
            assert member is not None
            while member.read():
                pass
            at = member.end

    return {"inflate": inflate, "read": lambda: _records(data)}


def _records(data: bytes) -> list[Record]:
    found = read_records(io.BytesIO(data), FileRange(source="bench", size=len(data)))
    return [item for item in found if isinstance(item, Record) and item.kind == "response"]


def decode_stages(path: str) -> dict[str, Work]:
    """Taking HTTP messages apart, finding charsets and decoding, and all of `decode_record`."""
    records, wanted = _records(Path(path).read_bytes()), PageFilter()

    def http() -> list[tuple[bytes, str | None]]:
        bodies = []
        for record in records:
            message = parse_http(record.block)
            body = decode_body(message, DEFAULT_MAX_BODY).data
            if is_html(media_type(message.get("content-type")), body):
                bodies.append((body, charset_label(message.get("content-type"))))
        return bodies

    bodies = http()

    def charset() -> None:
        for body, label in bodies:
            decode_text(body, header_label=label, truncated=False)

    def decode() -> None:
        for record in records:
            decode_record(record, wanted)

    return {"http": http, "charset": charset, "decode": decode}


class ExtractStage:
    """One extractor over decoded pages."""

    def __init__(self, name: str, pages: list[bytes]) -> None:
        self._method = registry.bind(name, registry.options_json(registry.parse_options(name, {})))
        self._pages = pages

    def __call__(self) -> list[Extraction]:
        return [self._method(page) for page in self._pages]


def extract_stage(name: str, pages: list[bytes]) -> ExtractStage:
    """Extractor `name` over decoded pages, in this process."""
    return ExtractStage(name, pages)


def markdown_stage(page: bytes) -> Work:
    """Writing Markdown of what `cedar` keeps of a decoded page; the extraction is made before."""
    (found,) = extract_stage("cedar", [page])()
    return lambda: found.write_markdown(MarkdownOptions(), None)


def metadata_stage(page: bytes) -> Work:
    """What metadata add to a decoded page that `cedar` extracts, which has read it already."""
    (found,) = extract_stage("cedar", [page])()
    markup = found.markup
    assert markup is not None
    return lambda: page_metadata(markup)


def write_stage(pages: list[bytes]) -> tuple[int, Work]:
    """The number of rows, and writing them into a Parquet file: those of pages as `cetr` extracts them."""
    plan = ExtractPlan.of("cetr")
    rows = [
        PageTable.of().values(_row(number, page, found, plan=plan))
        for number, (page, found) in enumerate(zip(pages, extract_stage("cetr", pages)(), strict=True))
    ]

    def write() -> None:
        writer = open_writer(
            io.BytesIO(), "Page", PageTable.of().columns, output=OutputFormat(), attempt="bench"
        )
        writer.write(rows)
        writer.close()

    return len(rows), write


def _row(number: int, html: bytes, found: Extraction, *, plan: ExtractPlan) -> PageRow:
    record = Record(
        location=Location("bench", "bench", number * 20_000, 20_000),
        kind="resource",
        url=f"https://crawl.example/{number}",
        record_id=f"urn:uuid:{number:032x}",
        date="2026-01-31T12:00:00Z",
        content_type="text/html",
        block=html,
        truncated=False,
    )
    return extracted_page(decode_record(record, PageFilter()), found, plan, cost=Cost()).row
