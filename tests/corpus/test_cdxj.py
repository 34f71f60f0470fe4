"""The index of a corpus: in order of its keys, and read again by `cedar extract --cdx`."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.pipelines.cli import main
from cedar.transforms.corpus import cdxj_writer
from cedar.transforms.crawls.surt import surt_key
from tests.extract.runs import extract
from tests.extract.test_revisits import archives  # noqa: F401 - a fixture
from tests.helpers.corpus import rows
from tests.helpers.crawl import write_warc


def exported(corpus: Path, target: Path, *options: str) -> list[tuple[str, str, dict[str, Any]]]:
    command = ["export", str(corpus), "--format", "cdxj", "--output", str(target), "--quiet", *options]
    assert main(command) == 0
    lines = target.read_bytes().splitlines()
    assert lines == sorted(lines)
    parts = (line.decode().split(" ", 2) for line in lines)
    return [(key, timestamp, json.loads(fields)) for key, timestamp, fields in parts]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl")
    for number, name in enumerate(("one/a.warc.gz", "two/a.warc.gz")):
        write_warc(folder / "in" / name, 6, first=100 * number)
    assert extract(folder / "in", folder / "corpus") == 0
    return folder


def test_lines_are_those_of_pages_and_revisits(archives: Path, tmp_path: Path) -> None:  # noqa: F811
    assert extract(archives / "2015", tmp_path / "c") == 0
    found = exported(tmp_path / "c", tmp_path / "x.cdxj")
    assert [timestamp for _, timestamp, fields in found if fields["url"].endswith("/other")] == [
        "20150101000000",
        "20150201000000",
    ]
    assert [fields["mime"] for _, _, fields in found].count("warc/revisit") == 5
    (page,) = (fields for _, _, fields in found if fields["mime"] == "text/html")
    (row,) = rows(tmp_path / "c")
    assert page == {
        "url": row["url"],
        "mime": "text/html",
        "status": "200",
        "digest": row["payload_digest"],
        "length": str(row["length"]),
        "offset": str(row["offset"]),
        "filename": "b.warc.gz",
    }
    assert found[0][0] == "example,crawl)/image"


def test_what_is_exported_is_selected_again(crawl: Path, tmp_path: Path) -> None:
    found = exported(crawl / "corpus", tmp_path / "x.cdxj", "--where", "words >= 1")
    assert {fields["filename"] for _, _, fields in found} == {"one/a.warc.gz", "two/a.warc.gz"}
    assert extract(crawl / "in", tmp_path / "c", "--cdx", str(tmp_path / "x.cdxj")) == 0
    assert rows(tmp_path / "c") == rows(crawl / "corpus")


def test_files_in_a_wacz_are_named_as_its_own_index_does(crawl: Path, tmp_path: Path) -> None:
    warc = crawl / "in" / "one" / "a.warc.gz"
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as file:
        file.write(warc, "archive/a.warc.gz")
    assert extract(tmp_path / "a.wacz", tmp_path / "c") == 0
    found = exported(tmp_path / "c", tmp_path / "x.cdxj")
    assert {fields["filename"] for _, _, fields in found} == {"a.warc.gz"}
    offsets = [row["offset"] for row in rows(crawl / "corpus") if row["source"] == str(warc)]
    assert sorted(int(fields["offset"]) for _, _, fields in found) == offsets


def test_parts_that_are_sorted_apart_are_merged(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = exported(crawl / "corpus", tmp_path / "x.cdxj")
    monkeypatch.setattr(cdxj_writer, "_SORTED_AT_ONCE", 5)
    assert exported(crawl / "corpus", tmp_path / "y.cdxj") == whole
    assert len(whole) == 12


def test_records_that_no_index_leads_to_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warc = write_warc(tmp_path / "a.warc.gz", 3)
    with zipfile.ZipFile(tmp_path / "a.wacz", "w", zipfile.ZIP_DEFLATED) as file:
        file.write(warc, "archive/a.warc.gz")
    assert extract(tmp_path / "a.wacz", tmp_path / "c") == 0
    capsys.readouterr()
    command = ["export", str(tmp_path / "c"), "--format", "cdxj", "--output", str(tmp_path / "x.cdxj")]
    assert main(command) == 0
    assert "3 captures" in capsys.readouterr().err
    assert (tmp_path / "x.cdxj").read_bytes() == b""


@pytest.mark.parametrize(
    "more", [("--columns", "url"), ("--shuffle", "1"), ("--compression", "gzip"), ("--file-size", "1MiB")]
)
def test_options_of_rows_are_refused(
    crawl: Path, tmp_path: Path, more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "x.cdxj"
    command = ["export", str(crawl / "corpus"), "--format", "cdxj", "--output", str(target), *more]
    assert main(command) == 2
    assert more[0] in capsys.readouterr().err
    assert not target.exists()


def test_a_file_is_replaced_only_if_that_is_asked_for(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = "org,example)/ 20200101000000 {}\n"
    (tmp_path / "x.cdxj").write_text(mine)
    command = ["export", str(crawl / "corpus"), "--format", "cdxj", "--output", str(tmp_path / "x.cdxj")]
    assert main(command) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert (tmp_path / "x.cdxj").read_text() == mine
    assert main([*command, "--overwrite"]) == 0


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.Example.com:443/", "com,example)/"),
        ("http://www2.example.com/a//b/../c/./d/?b=2&A=1&a#f", "com,example)/a/c/d?a&a=1&b=2"),
        ("https://user:pw@example.org:8443/x%2520y%C3%A9%e9", "org,example:8443)/x%20y%c3%a9%e9"),
        ("http://example.com", "com,example)/"),
        ("example.com/foo?", "com,example)/foo"),
        ("http://bücher.example/ü", "example,xn--bcher-kva)/%c3%bc"),
        ("http://1.2.3.4/x", "4,3,2,1)/x"),
        ("dns:www.archive.org", "dns:www.archive.org"),
        (f"http://example.com/a?sid={'0f' * 16}&b=1", "com,example)/a?b=1"),
        ("http://example.com/a?cfid=1&cftoken=2&x=3", "com,example)/a?x=3"),
        (f"http://example.com/(S({'4h' * 12}))/a.aspx", "com,example)/a.aspx"),
        ("file:///a/b%20c.png", "file:/a/b%20c.png"),
        ("", "-"),
    ],
)
def test_keys_are_those_of_the_archives(url: str, key: str) -> None:
    assert surt_key(url) == key


@given(st.text(max_size=60))
def test_every_url_has_a_key_without_blanks(url: str) -> None:
    assert not set(" \t\r\n") & set(surt_key(f"http://{url}"))
    assert surt_key(url).isascii()


def test_an_index_named_gz_is_gzipped(crawl: Path, tmp_path: Path) -> None:
    exported(crawl / "corpus", tmp_path / "x.cdxj")
    command = [
        "export",
        str(crawl / "corpus"),
        "--format",
        "cdxj",
        "--output",
        str(tmp_path / "x.cdxj.gz"),
    ]
    for _ in range(2):
        assert main([*command, "--overwrite"]) == 0
    packed = (tmp_path / "x.cdxj.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "x.cdxj").read_bytes()
    assert extract(crawl / "in", tmp_path / "again", "--cdx", str(tmp_path / "x.cdxj.gz")) == 0
    assert len(rows(tmp_path / "again")) == 12


def test_an_index_takes_the_place_of_indexes_alone(crawl: Path, tmp_path: Path) -> None:
    export = ["export", str(crawl / "corpus"), "--format", "cdxj", "--overwrite", "--output"]
    revisits = ["revisits", str(crawl / "corpus"), "--output"]
    write_warc(tmp_path / "a.warc.gz", 1)
    write_warc(tmp_path / "a.warc", 1)
    (tmp_path / "notes.txt").write_text("Notes of somebody.\n")
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8bnot gzip")
    pq.write_table(pa.table({"other": [1]}), tmp_path / "other.parquet")
    for target in sorted(tmp_path.iterdir()):
        before = target.read_bytes()
        assert main([*export, str(target)]) == 2
        assert main([*revisits, str(target)]) == 2
        assert target.read_bytes() == before
    for _ in range(2):
        assert main([*revisits, str(tmp_path / "new.parquet")]) == 0
