"""Crawls by name: what there is of them, what is kept of what was looked up, and what is refused."""

from __future__ import annotations

import datetime
import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.crawls.cache import Cache
from cedar.transforms.crawls.catalogue import CrawlLookup, Freshness, parse_collection, parse_listing
from cedar.transforms.crawls.names import CrawlError, crawl_name
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.http_options import PermanentHttpError, WebConfig
from cedar.transforms.files.input_kinds import InputError
from cedar.transforms.files.lists import LineSelection
from cedar.transforms.files.retry import RetryPolicy
from tests.helpers.crawl_root import MAIN, MAIN_PATHS, NEWS, NEWS_PATHS, NEXT
from tests.helpers.crawl_server import CrawlServer, Fault, crawl_server

COLLECTION = "collinfo.json"
MAIN_LISTING = f"crawl-data/{MAIN}/warc.paths.gz"
NEWS_LISTING = "crawl-data/CC-NEWS/2026/03/warc.paths.gz"


class Time:
    """Seconds since the epoch, for a cache."""

    now = 1.8e9

    def __call__(self) -> float:
        return self.now


def lookup(
    root: str, tmp_path: Path, time: Time | None = None, freshness: Freshness | None = None
) -> CrawlLookup:
    web = Web(WebConfig(crawl_root=root, retry_policy=RetryPolicy(attempts=1)))
    kept = Cache(tmp_path / "cache", time or Time())
    return CrawlLookup(web, kept, freshness or Freshness(), today=datetime.date(2026, 3, 9))


def test_a_crawl_has_the_files_of_its_listing_in_order(root: Path, tmp_path: Path) -> None:
    here = lookup(f"{root}/", tmp_path)
    assert here.listing(MAIN).paths == MAIN_PATHS
    assert here.listing(MAIN.lower()).paths == MAIN_PATHS
    assert here.listing(NEWS).paths == here.listing("CC-NEWS/2026/03").paths == NEWS_PATHS


def test_latest_is_the_newest_that_has_files(root: Path, tmp_path: Path) -> None:
    here = lookup(f"{root}/", tmp_path)
    assert [crawl.id for crawl in here.crawls()] == [NEXT, MAIN, "CC-MAIN-2013-20"]
    assert here.listing("latest").crawl.text == MAIN
    assert here.listing("news-latest").crawl.text == NEWS


def test_what_was_looked_up_is_kept_for_as_long_as_it_is_good(server: CrawlServer, tmp_path: Path) -> None:
    time = Time()

    def asked(path: str) -> int:
        server.log.clear()
        here = lookup(server.root, tmp_path, time)
        here.crawls(), here.listing(MAIN), here.listing(NEWS)
        return len(server.asked(path))

    assert [asked(path) for path in (COLLECTION, MAIN_LISTING, NEWS_LISTING)] == [1, 0, 0]
    time.now += 3601
    assert asked(NEWS_LISTING) == 1
    time.now += 24 * 3600
    assert asked(COLLECTION) == 1
    time.now += 1e9
    assert asked(MAIN_LISTING) == 0
    server.log.clear()
    lookup(server.root, tmp_path, time, Freshness(refresh=True)).listing(MAIN)
    assert len(server.asked(MAIN_LISTING)) == 1


def test_offline_what_was_kept_does_however_old_and_nothing_is_asked(
    server: CrawlServer, tmp_path: Path
) -> None:
    time = Time()
    lookup(server.root, tmp_path, time).listing(NEWS)
    time.now += 1e9
    server.log.clear()
    web = Web(WebConfig(crawl_root=server.root, offline=True))
    freshness = Freshness(refresh=True)
    here = CrawlLookup(web, Cache(tmp_path / "cache", time), freshness, today=datetime.date(2026, 3, 9))
    assert here.listing(NEWS).paths == NEWS_PATHS
    with pytest.raises(CrawlError, match="was not looked up before: leave out --offline"):
        here.listing(MAIN)
    with pytest.raises(PermanentHttpError, match="is not contacted; leave out --offline"):
        web.get(f"{server.root}x", {})
    assert server.log == []


def test_roots_do_not_share_what_is_kept(root: Path, server: CrawlServer, tmp_path: Path) -> None:
    lookup(server.root, tmp_path).listing(MAIN)
    files = {MAIN_LISTING: gzip.compress(MAIN_PATHS[0].encode())}
    with crawl_server(files) as other:
        assert lookup(other.root, tmp_path).listing(MAIN).paths == MAIN_PATHS[:1]


def test_a_cache_that_cannot_be_written_is_done_without(server: CrawlServer, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    assert lookup(server.root, tmp_path).listing(MAIN).paths == MAIN_PATHS


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "CC-MAIN-2026-05",
            rf"no crawl CC-MAIN-2026-05; near it: {MAIN}, {NEXT} \(`cedar crawls` lists them\)",
        ),
        ("CC-NEWS-2026-04", r"no crawl CC-NEWS-2026-04 \(`cedar crawls`"),
        ("CC-MAIN-2026-4", r"not a valid crawl: 'CC-MAIN-2026-4' \(write it as cc:CC-MAIN-2026-04"),
        ("CC-NEWS-2026-13", "not a valid crawl"),
        ("CC-MAIN-2008-2009", "laid out in another way"),
        ("", "not a valid crawl: ''"),
    ],
)
def test_crawls_that_are_not_there_are_named(name: str, message: str, root: Path, tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match=message):
        lookup(f"{root}/", tmp_path).listing(name)


def test_a_root_that_is_none_is_named(server: CrawlServer, tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match="is --crawl-root the root of Common Crawl's data"):
        lookup(f"{server.root}elsewhere/", tmp_path).listing(MAIN)
    server.always[MAIN_LISTING] = Fault(500)
    with pytest.raises(CrawlError, match=r"cannot read .*: the server answered 500"):
        lookup(server.root, tmp_path).listing(MAIN)


WHOLE = gzip.compress("".join(f"{path}\n" for path in MAIN_PATHS).encode())


@given(st.integers(0, len(WHOLE) - 1))
def test_a_listing_that_is_cut_is_an_error_not_a_short_list(cut: int) -> None:
    with pytest.raises(CrawlError):
        parse_listing(crawl_name(MAIN), WHOLE[:cut])
    assert parse_listing(crawl_name(MAIN), WHOLE).paths == MAIN_PATHS


@pytest.mark.parametrize("line", ["<html>", "crawl-data/CC-MAIN-2026-08/x.warc.gz", MAIN_PATHS[0][:-3]])
def test_a_listing_of_something_else_is_an_error(line: str) -> None:
    data = gzip.compress(f"{MAIN_PATHS[0]}\n{line}\n".encode())
    with pytest.raises(CrawlError, match="has a line that is not a file of it"):
        parse_listing(crawl_name(MAIN), data)


def test_a_cut_listing_is_not_kept(server: CrawlServer, tmp_path: Path) -> None:
    server.faults[MAIN_LISTING] = [Fault(body=WHOLE[:50], ignores="range")]
    with pytest.raises(CrawlError, match="is cut or damaged"):
        lookup(server.root, tmp_path).listing(MAIN)
    assert lookup(server.root, tmp_path).listing(MAIN).paths == MAIN_PATHS


@pytest.mark.parametrize("data", [b"", b"<html>", b"{}", b"[]", b"null", b"[1]", b'[{"id": "x"}]'])
def test_a_list_of_crawls_that_is_none_or_empty_is_an_error(data: bytes) -> None:
    with pytest.raises(CrawlError, match=r"cannot be understood|is empty"):
        parse_collection(data)


@pytest.mark.parametrize("data", [b"[]", b"{}"])
def test_an_empty_list_of_crawls_is_not_kept(data: bytes, server: CrawlServer, tmp_path: Path) -> None:
    whole = server.files[COLLECTION]
    server.files[COLLECTION] = data
    for ask in (
        lambda: lookup(server.root, tmp_path).crawls(),
        lambda: lookup(server.root, tmp_path).listing("latest"),
    ):
        with pytest.raises(CrawlError, match="the list of crawls is empty"):
            ask()
    Cache(tmp_path / "cache", Time()).put(f"{server.root}{COLLECTION}", data)  # as it was kept once
    server.files[COLLECTION] = whole
    assert lookup(server.root, tmp_path).listing("latest").crawl.text == MAIN


def test_the_month_before_january_is_december(tmp_path: Path) -> None:
    lookup = CrawlLookup(Web(), Cache(tmp_path), today=datetime.date(2026, 1, 31))
    assert [lookup._news_month(back).text[8:] for back in range(3)] == ["2026-01", "2025-12", "2025-11"]


@given(
    names=st.lists(st.text("ab/", max_size=4), max_size=30, unique=True),
    seed=st.integers(0, 5),
    size=st.integers(1, 30),
)
def test_a_smaller_sample_is_part_of_a_larger_one(names: list[str], seed: int, size: int) -> None:
    if not names:
        with pytest.raises(InputError, match="0 lines, none of them in the slice"):
            LineSelection(sample=1).of(names)
        return
    larger = LineSelection(sample=size + 1, seed=seed).of(names)
    smaller = LineSelection(sample=size, seed=seed).of(names)
    assert set(smaller) <= set(larger) <= set(names)
    assert len(smaller) == min(size, len(names))
    assert list(smaller) == [name for name in names if name in set(smaller)]


def test_a_sample_is_the_same_on_every_machine() -> None:
    lines = [f"file-{n}" for n in range(1000)]
    assert LineSelection(sample=3).of(lines) == ("file-34", "file-296", "file-658")
    assert LineSelection(sample=3, seed=1).of(lines) != LineSelection(sample=3).of(lines)
