"""Pages by the index: what a selection reads is what a whole reading has of it, whatever is joined or cut."""

from __future__ import annotations

import io
import itertools
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.warcwriter import WARCWriter

from cedar.transforms.crawls.cache import Cache
from cedar.transforms.crawls.index_file import IndexFile, IndexFiles
from cedar.transforms.crawls.index_query import query_cost, select_rows
from cedar.transforms.crawls.manifest import (
    Manifest,
    SelectedRow,
    make_manifest,
    open_manifest,
    read_rows,
)
from cedar.transforms.crawls.names import CrawlError
from cedar.transforms.crawls.selected import SelectedFaultError, SelectionReader, file_spans
from cedar.transforms.crawls.terms import KEYS, Selection, Term, parse_selection
from cedar.transforms.decode.page import PageFilter
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.http_options import COMMON_CRAWL, RateLimits, WebConfig
from cedar.transforms.files.ranged_file import Joining, spans
from cedar.transforms.files.retry import RetryPolicy
from cedar.transforms.files.stores import source_for
from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import Record, Reject
from cedar.transforms.urls.block_lists import read_block_list
from cedar.transforms.urls.rules import UrlRules
from cedar.transforms.urls.sample import SampleSize
from cedar.transforms.warc.reader import FileRange, read_records
from tests.helpers.crawl_root import MAIN_PATHS, files_of
from tests.helpers.crawl_server import CrawlServer, Fault, crawl_server
from tests.helpers.index_root import PARTS, Row, rows_of, write_index

FAST = RateLimits(1000.0, 10)
DEFAULT_FILTER = PageFilter()


class Whole:
    """All records of the crawl, by file and offset, as a whole reading has them."""

    def __init__(self, records: dict[tuple[str, int], Record]) -> None:
        self.records = records

    def __repr__(self) -> str:
        return "the whole"


@pytest.fixture(scope="module")
def rows(root: Path) -> list[Row]:
    return rows_of(root)


@pytest.fixture(scope="module")
def shared(root: Path) -> Iterator[CrawlServer]:
    with crawl_server(files_of(root)) as server:
        yield server


@pytest.fixture
def server(shared: CrawlServer, root: Path) -> CrawlServer:
    shared.faults, shared.always, shared.etags = {}, {}, {}
    shared.files = files_of(root)
    shared.log.clear()
    return shared


def web_at(root: object) -> Web:
    web = WebConfig(crawl_root=f"{root}".rstrip("/") + "/", limits=FAST, retry_policy=RetryPolicy(attempts=3))
    return Web(web, sleep=lambda *_: None)


def query(root: object, text: str, cache: Cache | None = None) -> Manifest:
    files = IndexFiles(web_at(root), cache)
    return asked_of(files, files.footers(COMMON_CRAWL + part for part in PARTS), parse_selection(text))


def asked_of(files: IndexFiles, index: Iterable[IndexFile], selection: Selection) -> Manifest:
    return make_manifest(pa.concat_tables([select_rows(files, file, selection) for file in index]))


def selected(manifest: Manifest) -> list[SelectedRow]:
    return [SelectedRow(*row.values()) for row in manifest.table.to_pylist()]


def reader(web: Web, joining: Joining, wanted: PageFilter = DEFAULT_FILTER) -> SelectionReader:
    return SelectionReader(
        shard="s",
        root=COMMON_CRAWL,
        source_at=lambda source: source_for(source, web),
        filter=wanted,
        joining=joining,
    )


def items(root: object, chosen: Sequence[SelectedRow], joining: Joining) -> list[Record | Reject]:
    return list(reader(web_at(root), joining).read(chosen))


@pytest.fixture(scope="module")
def whole(root: Path) -> Whole:
    found = {}
    for path in MAIN_PATHS:
        size = (root / path).stat().st_size
        with (root / path).open("rb") as file:
            for item in read_records(file, FileRange(source=COMMON_CRAWL + path, size=size, shard="s")):
                if isinstance(item, Record):
                    found[path, item.location.offset] = item
    return Whole(found)


# What the index is asked.


def holds(term: Term, row: Row) -> bool:
    """The plain definition of a word."""
    value = row.get(KEYS[term.key].column)
    if value is None:
        return term.negated
    languages = str(value).split(",")
    found = {
        "surt": any(str(value).startswith(wanted) for wanted in term.values),
        "url~": term.key == "url~" and any(re.search(wanted, str(value)) for wanted in term.values),
        "lang": languages[0] in term.values,
        "lang+": not {*languages}.isdisjoint(term.values),
        "charset": str(value).lower() in term.values,
    }.get(term.key, str(value) in term.values)
    return found != term.negated


VALUES = {
    "domain": ["example.com", "frett.is", "saga.is", "news.test", "none.com"],
    "host": ["example.com", "www.frett.is", "blog.frett.is", "www.example.org", "news.test"],
    "tld": ["com", "is", "org", "de", "test"],
    "surt": ["com,example)", "com,example", "is,frett,blog)/page/1", "is", "test,news:8080)"],
    "url": ["https://example.com/Page/0-0?q=0", "https://saga.is/Page/0-4?q=1", "https://other.is/"],
    "url~": ["is/Page/[01]-", "q=2$", "^https://(www|blog)\\."],
    "lang": ["eng", "isl", "fra"],
    "lang+": ["eng", "isl", "fra"],
    "mime": ["text/html", "application/pdf"],
    "status": ["200", "404"],
    "charset": ["utf-8", "windows-1252"],
    "truncated": ["length"],
}


@st.composite
def terms(draw: st.DrawFn) -> Term:
    key = draw(st.sampled_from(sorted(VALUES)))
    values = draw(st.lists(st.sampled_from(VALUES[key]), min_size=1, max_size=3, unique=True))
    return Term(key, tuple(sorted(values)), draw(st.integers(0, 3)) == 0)


selections = st.lists(terms(), min_size=1, max_size=3, unique=True).map(
    lambda chosen: Selection(tuple(sorted(chosen)))
)


@pytest.fixture(scope="module")
def index(root: Path) -> tuple[IndexFiles, list[IndexFile]]:
    files = IndexFiles(web_at(root), None)
    return files, list(files.footers(COMMON_CRAWL + part for part in PARTS))


@given(selection=selections, held=st.integers(0, 1 << 14))
def test_the_index_gives_the_rows_that_a_look_at_each_row_would(
    selection: Selection, held: int, index: tuple[IndexFiles, list[IndexFile]], rows: list[Row]
) -> None:
    expected = [row for row in rows if all(holds(term, row) for term in selection.terms)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "cedar.transforms.crawls.index_file._MAX_BATCH_BYTES", held
        )  # bytes of row groups at a time
        found = asked_of(*index, selection)
    assert [(row.filename, row.offset, row.length, row.url) for row in selected(found)] == sorted(
        (row["warc_filename"], row["warc_record_offset"], row["warc_record_length"], row["url"])
        for row in expected
    )


def test_a_domain_leaves_out_strangers_and_most_of_the_index(server: CrawlServer, tmp_path: Path) -> None:
    found = query(server.root, "domain=example.com", Cache(tmp_path))
    hosts = {row.url.split("/")[2] for row in selected(found)}
    assert hosts == {"example.com", "shop.example.com"}
    assert len(selected(found)) == 12
    files = [*IndexFiles(web_at(server.root), Cache(tmp_path)).footers(COMMON_CRAWL + part for part in PARTS)]
    groups = sum(file.metadata.num_row_groups for file in files)
    cost = sum((query_cost(file, parse_selection("domain=example.com")).groups for file in files), 0)
    assert (cost, groups) == (4, 10)


def test_footers_are_kept_and_a_query_then_asks_for_its_columns_alone(
    server: CrawlServer, tmp_path: Path
) -> None:
    query(server.root, "domain=example.com", Cache(tmp_path))
    tails = [asked for asked in server.log if asked.headers["range"].startswith("bytes=-")]
    assert [asked.path for asked in tails] == list(PARTS)
    server.log.clear()
    query(server.root, "domain=example.com", Cache(tmp_path))
    assert 0 < len(server.log) <= 4
    assert not [asked for asked in server.log if asked.headers["range"].startswith("bytes=-")]


def test_an_index_that_changed_since_its_footer_was_kept_is_named(
    server: CrawlServer, tmp_path: Path
) -> None:
    query(server.root, "tld=is", Cache(tmp_path))
    server.etags[PARTS[0]] = server.etags[PARTS[1]] = '"v2"'
    with pytest.raises(CrawlError, match="has changed: --update-listings reads its footer again"):
        query(server.root, "tld=is", Cache(tmp_path))


def test_a_column_that_an_old_crawl_lacks_is_named(tmp_path: Path, root: Path, rows: list[Row]) -> None:
    (tmp_path / "crawl-data/CC-MAIN-2026-04").mkdir(parents=True)
    write_index(tmp_path, rows, without="content_languages")
    with pytest.raises(CrawlError, match="no column content_languages: leave out the word"):
        query(tmp_path, "lang=isl")
    assert selected(query(tmp_path, "tld=is")) == selected(query(root, "tld=is"))


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("warc_filename", None, "does not say where its record is"),
        ("warc_record_offset", None, "does not say where its record is"),
        ("warc_filename", "crawl-data/../../secret", "names a file that is outside every crawl"),
        ("warc_filename", "/etc/passwd", "names a file that is outside every crawl"),
        ("warc_filename", "https://other.example/x.warc.gz", "names a file that is outside every crawl"),
    ],
)
def test_an_index_that_leads_astray_is_refused(
    column: str, value: object, message: str, tmp_path: Path, rows: list[Row]
) -> None:
    (tmp_path / "crawl-data/CC-MAIN-2026-04").mkdir(parents=True)
    write_index(tmp_path, [{**row, column: value} if row == rows[1] else row for row in rows])
    with pytest.raises(CrawlError, match=message):
        query(tmp_path, "tld=is,com,org,test")


@pytest.mark.parametrize("data", [b"", b"PAR1", b"<html>" * 50, bytes(20) + b"PAR1"])
def test_a_file_that_is_no_index_is_named(data: bytes, server: CrawlServer) -> None:
    server.files[PARTS[0]] = data
    with pytest.raises(CrawlError, match=r"is not a Parquet file|cannot read"):
        query(server.root, "tld=is")


# The manifest.


@pytest.fixture(scope="module")
def everything(root: Path) -> Manifest:
    return query(root, "status=200")


@given(sample=st.integers(1, 50), seed=st.integers(0, 3))
def test_a_smaller_sample_of_rows_is_part_of_a_larger_one(
    sample: int, seed: int, everything: Manifest
) -> None:
    table = everything.table
    size = SampleSize(number=sample)
    smaller, larger = (
        make_manifest(table, size, seed),
        make_manifest(table, SampleSize(number=sample + 1), seed),
    )
    assert set(selected(smaller)) <= set(selected(larger))
    assert smaller.table.num_rows == min(sample, table.num_rows)
    shuffled = table.take(list(range(table.num_rows))[::-1])
    assert make_manifest(pa.concat_tables([shuffled, table]), size, seed).digest == smaller.digest


def test_shards_are_ranges_of_rows_and_depend_on_nothing_else(root: Path, tmp_path: Path) -> None:
    manifest = query(root, "tld=is,com")
    shards = manifest.shards(7)
    assert [(shard.start, shard.stop) for shard in shards] == [
        (0, 7),
        (7, 14),
        (14, 21),
        (21, 28),
        (28, 35),
        (35, 36),
    ]
    assert shards[0].name == f"sel-{manifest.digest[:8]}-000000000000-000000000007"
    assert sum(shard.length for shard in shards) == sum(row.length for row in selected(manifest))
    (tmp_path / "m").write_bytes(manifest.to_parquet())
    read = []
    for shard in shards:
        with (tmp_path / "m").open("rb") as file:
            read += read_rows(file, shard.start, shard.stop or 0)
    assert read == selected(manifest)
    assert open_manifest(manifest.to_parquet(), manifest.digest) == manifest
    assert open_manifest(manifest.to_parquet(), "0" * 32) is None
    assert open_manifest(manifest.to_parquet()[:-9], manifest.digest) is None


# The records.


@given(
    chosen=st.sets(st.integers(0, 47)),
    gap=st.sampled_from([0, 300, 1 << 12, 1 << 22]),
    most=st.sampled_from([1, 5000, 1 << 25]),
    size=st.sampled_from([1, 2, 7, 50]),
)
def test_a_selection_is_the_whole_reading_filtered(
    chosen: set[int], gap: int, most: int, size: int, root: Path, everything: Manifest, whole: Whole
) -> None:
    rows = [row for number, row in enumerate(selected(everything)) if number in chosen]
    joining = Joining(gap, most)
    found = [item for at in range(0, len(rows), size) for item in items(root, rows[at : at + size], joining)]
    assert found == [whole.records[row.filename, row.offset] for row in rows]


@given(
    ranges=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), min_size=1, max_size=12),
    gap=st.integers(0, 10),
    most=st.integers(1, 60),
)
def test_spans_hold_each_range_once_and_join_only_what_is_near(
    ranges: list[tuple[int, int]], gap: int, most: int
) -> None:
    ordered = sorted((start, start + length) for start, length in ranges)
    found = list(spans(ordered, Joining(gap, most)))
    assert [span.first for span in found] == [0, *(span.last for span in found[:-1])]
    assert found[-1].last == len(ordered)
    for span in found:
        inside = ordered[span.first : span.last]
        assert (span.start, span.stop) == (inside[0][0], inside[-1][1])
        assert len(inside) == 1 or span.stop - span.start <= most
        assert all(0 <= b[0] - a[1] <= gap for a, b in itertools.pairwise(inside))


def test_requests_and_bytes_are_those_that_were_planned(server: CrawlServer, rows: list[Row]) -> None:
    chosen = selected(query(server.root, "tld=is"))
    joining = Joining(1 << 10, 1 << 25)
    planned = [
        span
        for path in MAIN_PATHS
        for span in file_spans([(row.offset, row.length) for row in chosen if row.filename == path], joining)
    ]
    server.log.clear()
    items(server.root, chosen, joining)
    asked = [asked.headers["range"] for asked in server.log]
    assert asked == [f"bytes={span.start}-{span.stop - 1}" for span in planned]
    assert len({asked.connection for asked in server.log}) == 1
    assert 3 < len(planned) < len(chosen)


def test_many_rows_of_a_file_are_one_request() -> None:
    few = [(10_000_000 * n, 9) for n in range(999)]
    assert len(file_spans(few, Joining(0, 1))) == 999
    assert len(file_spans([*few, (1 << 40, 9)], Joining(0, 1))) == 1


def test_what_an_index_says_wrongly_is_a_reject_and_never_a_page(root: Path, whole: Whole) -> None:
    right = selected(query(root, "tld=is"))[:2]
    row, other = right
    (gone,) = [r for r in whole.records.values() if (r.url or "").endswith("0-0?q=0&gone")]
    wrong = {
        "no record begins here": row._replace(offset=row.offset + 1),
        f"here is a response of {other.url}": other._replace(url=row.url),
        "here is a warcinfo of None": SelectedRow(row.url, row.filename, 0, 400),
        f"here is a response of {gone.url}": SelectedRow(
            row.url, row.filename, gone.location.offset, gone.location.length
        ),
        f"the record continues after {row.length - 1} bytes": row._replace(length=row.length - 1),
        "the index says 0 bytes": row._replace(length=0),
        f"the index says {1 << 31} bytes": row._replace(length=1 << 31),
        "the index says 5 bytes at -1": row._replace(offset=-1, length=5),
    }  # fmt: skip
    for message, named in wrong.items():
        (item,) = items(root, [named], Joining(0, 1))
        assert isinstance(item, Reject)
        assert item.reason is RejectReason.INDEX_MISMATCH
        assert item.detail.startswith(message)
        assert (item.location.offset, item.location.length, item.url) == (
            named.offset,
            named.length,
            named.url,
        )
    both = items(root, [row._replace(length=row.length + 1), row._replace(length=30), row], Joining(0, 1))
    assert [type(item) for item in both] == [Record, Reject, Record]
    assert both[0] == both[2] == whole.records[row.filename, row.offset]


def test_damage_in_a_file_is_what_the_reader_calls_it(root: Path, tmp_path: Path) -> None:
    (row, *_) = selected(query(root, "tld=is"))
    data = bytearray((root / row.filename).read_bytes())
    data[row.offset + row.length - 8] ^= 1
    (tmp_path / row.filename).parent.mkdir(parents=True)
    (tmp_path / row.filename).write_bytes(data)
    (item,) = items(tmp_path, [row], Joining(0, 1))
    assert isinstance(item, Reject)
    assert item.reason is RejectReason.DAMAGED_MEMBER


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault(503), "given up after 3 attempts"),
        (Fault(cut=3), "given up after 3 attempts"),
    ],
)
def test_bytes_that_cannot_be_had_are_a_fault_that_names_the_file(
    fault: Fault, message: str, server: CrawlServer
) -> None:
    (row, *_) = selected(query(server.root, "tld=is"))
    server.always[row.filename] = fault
    with pytest.raises(SelectedFaultError, match=message) as raised:
        items(server.root, [row], Joining(0, 1))
    assert raised.value.source == COMMON_CRAWL + row.filename


@pytest.mark.parametrize("joining", [Joining(0, 1), Joining(1 << 20, 1 << 25)])
@pytest.mark.parametrize("kind", ["server", "directory"])
def test_a_row_behind_the_end_of_its_file_is_a_reject_and_takes_no_other_row(
    kind: str, joining: Joining, server: CrawlServer, root: Path, whole: Whole
) -> None:
    place = server.root if kind == "server" else root
    rows = selected(query(server.root, "tld=is"))
    size = (root / rows[0].filename).stat().st_size
    behind = [
        rows[0]._replace(offset=size - 3),
        rows[0]._replace(offset=size),
        rows[0]._replace(offset=size + 5),
        rows[0]._replace(offset=1, length=size),
    ]
    mixed = sorted([*behind, *rows], key=lambda row: (row.filename, row.offset, row.length, row.url))
    found = items(place, mixed, joining)
    assert [item.location.offset for item in found] == [row.offset for row in mixed]
    records = [item for item in found if isinstance(item, Record)]
    assert records == [whole.records[row.filename, row.offset] for row in rows]
    rejects = [item for item in found if isinstance(item, Reject)]
    assert [item.reason for item in rejects] == [RejectReason.INDEX_MISMATCH] * len(behind)
    assert all(str(size) in item.detail for item in rejects)


@pytest.mark.parametrize("kind", ["server", "directory"])
def test_rows_of_a_missing_file_are_rejects_and_other_files_are_read(
    kind: str, server: CrawlServer, root: Path, tmp_path: Path, whole: Whole
) -> None:
    rows = selected(query(server.root, "tld=is"))
    gone = rows[len(rows) // 2].filename
    place: object = server.root
    if kind == "directory":
        place = shutil.copytree(root, tmp_path / "root")
        (tmp_path / "root" / gone).unlink()
    server.always[gone] = Fault(404)
    found = items(place, rows, Joining(0, 1))
    for row, item in zip(rows, found, strict=True):
        if row.filename == gone:
            assert isinstance(item, Reject)
            assert item.reason is RejectReason.MISSING_FILE
        else:
            assert item == whole.records[row.filename, row.offset]


@pytest.mark.parametrize("kind", ["server", "directory"])
def test_a_file_is_a_fault_where_its_whole_crawl_is_missing(
    kind: str, server: CrawlServer, tmp_path: Path
) -> None:
    (row, *_) = selected(query(server.root, "tld=is"))
    server.files = {}
    with pytest.raises(SelectedFaultError, match="FileNotFoundError") as raised:
        items(server.root if kind == "server" else tmp_path, [row], Joining(0, 1))
    assert raised.value.source == COMMON_CRAWL + row.filename


def test_a_range_that_breaks_is_taken_up_where_it_broke(server: CrawlServer, whole: Whole) -> None:
    rows = selected(query(server.root, "tld=is"))
    server.faults[rows[0].filename] = [Fault(cut=700), Fault(cut=50, how="rst")]
    web = web_at(server.root)
    server.log.clear()
    found = list(reader(web, Joining(1 << 20, 1 << 25)).read(rows))
    assert found == [whole.records[row.filename, row.offset] for row in rows]
    starts = [asked.first or 0 for asked in server.asked(rows[0].filename)]
    assert starts[0] == rows[0].offset
    assert starts == sorted(set(starts))
    assert web.fetched.retries == {"cut": 2}


def test_records_keep_the_shard_they_are_read_for(root: Path) -> None:
    (row, *_) = selected(query(root, "tld=is"))
    (record,) = items(root, [row], Joining(0, 1))
    assert isinstance(record, Record)
    assert record.location.shard == "s"
    assert record.location.source == COMMON_CRAWL + row.filename


def test_a_record_that_says_itself_that_it_is_truncated_is_a_record(tmp_path: Path) -> None:
    path = tmp_path / MAIN_PATHS[0]
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        payload = io.BytesIO(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>The beginning of")
        said = {"WARC-Truncated": "length"}
        record = writer.create_warc_record(
            "https://a.is/", "response", payload=payload, warc_headers_dict=said
        )
        writer.write_record(record)
    row = SelectedRow("https://a.is/", MAIN_PATHS[0], 0, path.stat().st_size)
    (item,) = items(tmp_path, [row], Joining(0, 1))
    assert isinstance(item, Record)
    assert item.truncated


def test_rows_that_are_blocked_are_not_asked_for(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("frett\n")
    blocked = (read_block_list("words", "words", str(tmp_path / "words")),)
    rows = [
        SelectedRow(url, "gone.warc.gz", 0, 9) for url in ("https://www.frett.is/", "https://blog.frett.is/")
    ]
    web = Web(WebConfig(offline=True))
    found = list(reader(web, Joining(1, 1), PageFilter(urls=UrlRules(blocked=blocked))).read(rows))
    assert [
        (str(item.stage), str(item.reason), item.detail) for item in found if isinstance(item, Reject)
    ] == [("read", "blocked", "words: frett")] * 2
