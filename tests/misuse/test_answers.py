"""Answers and listings that are broken, endless or hostile: one line that names the file, no traceback."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.pipelines.cli import main
from cedar.transforms.crawls.catalogue import parse_collection, parse_index_listing, parse_listing
from cedar.transforms.crawls.names import CrawlError, CrawlName
from cedar.transforms.files.http_file import state_of
from tests.helpers.crawl_root import MAIN, MAIN_PATHS, files_of, make_root
from tests.helpers.crawl_server import CrawlServer, Fault, crawl_server

LOCATIONS = (
    "http://[::1/x",
    "http://[v1.]/",
    "//[",
    "http://a b/",
    "http://a:b/",
    "http://a:99999/",
    f"http://{'a' * 300}/",
    f"http://{'a.' * 300}/",
    "http://user:word@host/",
    "file:///etc/passwd",
    "",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CrawlServer]:
    with crawl_server(files_of(make_root(tmp_path_factory.mktemp("root")))) as server:
        yield server


@pytest.fixture(autouse=True)
def _alone(server: CrawlServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("cedar.transforms.runtime.worker_progress.WorkerProgress.sleep", lambda *_: None)
    monkeypatch.setattr("cedar.transforms.files.http_client.sleep_silently", lambda *_: None)
    yield
    server.always.clear()


def error_of(server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], code: int) -> str:
    command = [
        "extract",
        f"cc:{MAIN}",
        "--slice",
        ":1",
        "--output",
        str(tmp_path / "corpus"),
        "--workers",
        "1",
    ]
    assert main([*command, "--extractor", "cetr", "--quiet", "--crawl-root", server.root]) == code
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    assert "Traceback" not in error
    return error


@pytest.mark.parametrize("location", LOCATIONS)
def test_a_redirect_to_what_is_not_a_url_names_the_file(
    location: str, server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.always[MAIN_PATHS[0]] = Fault(302, {"Location": location})
    assert MAIN_PATHS[0] in error_of(server, tmp_path, capsys, 1)


@pytest.mark.parametrize(
    "body",
    [b"[" * 100_000, b"", b"[1]", b"[null]", b'{"id": 1}', b"[[]]", b'[{"id": 1}]', b"\xff", b"1" * 9999],
    ids=range(9),
)
def test_a_list_of_crawls_that_is_not_one_is_one_line(body: bytes) -> None:
    with pytest.raises(CrawlError, match="cannot be understood"):
        parse_collection(body)


@pytest.mark.parametrize("parse", [parse_listing, parse_index_listing])
def test_a_listing_that_inflates_without_end_is_refused(
    parse: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cedar.transforms.crawls.catalogue.MAX_OF_A_LISTING", 1 << 20)
    with pytest.raises(CrawlError, match="larger than 1 MiB"):
        parse(CrawlName(MAIN), gzip.compress(b"crawl-data/" * 200_000))  # type: ignore[operator]


def test_an_answer_without_end_is_not_held(
    server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cedar.transforms.crawls.catalogue.MAX_OF_A_LISTING", 1 << 20)
    monkeypatch.setitem(server.files, f"crawl-data/{MAIN}/warc.paths.gz", bytes(3 << 20))
    assert "larger than 1 MiB" in error_of(server, tmp_path, capsys, 2)


HEADERS = st.dictionaries(
    st.sampled_from(["Content-Range", "Content-Length", "ETag", "Last-Modified", "Retry-After"]),
    st.text(max_size=30)
    | st.from_regex(r"bytes [0-9]{1,30}-[0-9]{1,30}/([0-9]{1,30}|\*)", fullmatch=True)
    | st.from_regex(r"[0-9]{1,5000}", fullmatch=True)
    | st.from_regex(r"Mon, [0-9]{1,2} Jan [0-9]{1,25} [0-9]{2}:00:00 (GMT|[+-][0-9]{4,9})", fullmatch=True),
)


STATUSES = st.sampled_from([200, 206, 301, 403, 404, 412, 416, 429, 500, 999])


@given(STATUSES, HEADERS, st.none() | st.integers(0, 9))
def test_any_head_of_an_answer_is_a_state_or_a_fault(
    status: int, headers: dict[str, str], at: int | None
) -> None:
    with contextlib.suppress(OSError):
        assert (state_of("https://a/b", status, headers, at=at).size or 0) >= 0
