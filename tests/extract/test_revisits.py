"""Revisits: their rows, the books, and the earlier captures that they refer to."""

from __future__ import annotations

import gc
import io
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from cedar.pipelines.cli import main
from tests.extract.runs import extract
from tests.helpers.corpus import books, rows
from tests.helpers.crawl import article, payload_digest

PAGE, OTHER, IMAGE = (f"https://crawl.example/{name}" for name in ("page", "other", "image"))


BODIES = {PAGE: article(1), OTHER: article(2), IMAGE: b"\x89PNG\r\n\x1a\n"}


def respond(writer: WARCWriter, url: str, date: str, name: str) -> None:
    media_type = "image/png" if url == IMAGE else "text/html"
    headers = StatusAndHeaders("200 OK", [("Content-Type", media_type)], protocol="HTTP/1.1")
    record = writer.create_warc_record(
        *(url, "response", io.BytesIO(BODIES[url])),
        http_headers=headers,
        warc_headers_dict={"WARC-Record-ID": f"<{name}>", "WARC-Date": date},
    )
    writer.write_record(record)


def revisit(writer: WARCWriter, url: str, date: str, name: str, **given: str) -> None:
    headers = {"WARC-Record-ID": f"<{name}>", "WARC-Date": date}
    headers |= {f"WARC-{key.replace('_', '-')}": value for key, value in given.items()}
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" if url == PAGE else b""
    record = writer.create_warc_record(url, "revisit", io.BytesIO(block), warc_headers_dict=headers)
    writer.write_record(record)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captures of 2014 in one folder; of 2015 in another, most of which are revisits of the former."""
    folder = tmp_path_factory.mktemp("archives")
    for year in ("2014", "2015"):
        (folder / year).mkdir()
    with (folder / "2014" / "a.warc.gz").open("wb") as file:
        writer = WARCWriter(file, warc_version="1.1")
        respond(writer, PAGE, "2014-01-01T00:00:00.500Z", "urn:1")
        respond(writer, IMAGE, "2014-01-01T00:00:01Z", "urn:2")
        respond(writer, PAGE, "2014-06-01T00:00:00Z", "urn:3")
    with (folder / "2015" / "b.warc.gz").open("wb") as file:
        writer = WARCWriter(file, warc_version="1.1")
        respond(writer, OTHER, "2015-01-01T00:00:00Z", "urn:4")
        revisit(writer, OTHER, "2015-02-01T00:00:00Z", "urn:5", Refers_To="<urn:4>", Payload_Digest="sha1:X")
        dated = {"Refers_To_Target_URI": PAGE, "Refers_To_Date": "2014-06-01T00:00:00Z"}
        revisit(writer, PAGE, "2015-03-01T00:00:00Z", "urn:6", **dated)
        revisit(writer, PAGE, "2015-04-01T00:00:00Z", "urn:7", Payload_Digest=payload_digest(BODIES[PAGE]))
        revisit(
            writer,
            IMAGE,
            "2015-05-01T00:00:00Z",
            "urn:8",
            Payload_Digest=payload_digest(BODIES[IMAGE]).lower(),
        )
        revisit(writer, PAGE, "2015-06-01T00:00:00Z", "urn:9", Payload_Digest="sha1:GONE")
    return folder


@pytest.fixture(scope="module")
def corpora(archives: Path) -> Path:
    for year in ("2014", "2015"):
        assert extract(archives / year, archives / f"c{year}", "--reject-rows", "all") == 0
    return archives


def resolved(corpora: Path, *options: str) -> dict[str, dict[str, Any]]:
    target = corpora / "revisits.parquet"
    assert main(["revisits", str(corpora / "c2015"), "--output", str(target), *options]) == 0
    return {row["record_id"]: row for row in pq.read_table(target).to_pylist()}


def test_a_revisit_is_a_row_and_a_reject_as_before(corpora: Path) -> None:
    found = rows(corpora / "c2015", "revisits")
    assert [row["record_id"] for row in found] == [f"urn:{n}" for n in range(5, 10)]
    assert [row["refers_to"] for row in found] == ["urn:4", None, None, None, None]
    assert found[1]["refers_to_url"] == PAGE
    assert found[1]["refers_to_date"].isoformat() == "2014-06-01T00:00:00+00:00"
    assert [(row["status"], row["media_type"]) for row in found[2:4]] == [(200, "text/html"), (None, None)]
    assert found[2]["payload_digest"] == payload_digest(BODIES[PAGE])
    assert books(corpora / "c2015")["rejected"] == {"not_response": 5}
    assert books(corpora / "c2015")["balanced"]


def test_revisits_are_found_by_id_by_date_and_by_digest(corpora: Path) -> None:
    found = resolved(corpora, "--against", str(corpora / "c2014"))
    names = ("found_by", "original_record_id", "original_table", "original_reason")
    assert {name: tuple(row[column] for column in names) for name, row in found.items()} == {
        "urn:5": ("record_id", "urn:4", "pages", None),
        "urn:6": ("url_and_date", "urn:3", "pages", None),
        "urn:7": ("digest", "urn:1", "pages", None),  # the earliest that has it
        "urn:8": ("digest", "urn:2", "rejects", "media_type"),
        "urn:9": (None, None, None, None),
    }
    page = next(row for row in rows(corpora / "c2014") if row["record_id"] == "urn:1")
    place = ("source", "offset", "inner_offset", "fetched_at")
    assert [found["urn:7"][f"original_{name}"] for name in place] == [page[name] for name in place]
    assert found["urn:7"]["original_corpus"] == str(corpora / "c2014")


def test_a_broken_corpus_is_one_line(
    corpora: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(corpora / "c2015", tmp_path / "c")
    (pages,) = (tmp_path / "c" / "pages").iterdir()
    pages.write_bytes(pages.read_bytes()[:100])
    unraisable: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", unraisable.append)
    assert main(["revisits", str(tmp_path / "c"), "--output", str(tmp_path / "r.parquet")]) == 1
    gc.collect()
    assert unraisable == []
    assert capfd.readouterr().err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_without_the_earlier_corpus_its_captures_are_not_found(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = resolved(corpora)
    assert [name for name, row in found.items() if row["found_by"]] == ["urn:5"]
    told = capsys.readouterr().out
    assert "4" in next(line for line in told.splitlines() if "not found" in line)


def test_a_revisit_outside_of_what_is_asked_for_has_no_row(archives: Path, tmp_path: Path) -> None:
    assert extract(archives / "2015", tmp_path / "c", "--url-exclude", "/page$") == 0
    assert [row["record_id"] for row in rows(tmp_path / "c", "revisits")] == ["urn:5", "urn:8"]
    assert books(tmp_path / "c")["rejected"]["not_response"] == 5


def test_a_run_says_that_there_are_revisits(
    archives: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for year, is_told in (("2014", False), ("2015", True)):
        assert main(["extract", str(archives / year), "--output", str(tmp_path / year)]) == 0
        said = capsys.readouterr().err
        assert ("cedar revisits" in said) == is_told
        assert ("5 revisits" in said) == is_told


def test_revisits_that_may_be_pages_keep_their_rows(archives: Path, tmp_path: Path) -> None:
    asked = ("--record-types", "response,revisit")
    assert extract(archives / "2015", tmp_path / "c", *asked) == 0
    assert len(rows(tmp_path / "c", "revisits")) == 5
    assert books(tmp_path / "c")["rejected"] == {"empty_body": 5}


@pytest.mark.parametrize(
    ("at", "name"), [("2014-07-03", "urn:01"), ("2014-06", "urn:06"), ("2014", "urn:01")]
)
def test_the_capture_of_a_date_may_be_a_revisit(
    at: str, name: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with (tmp_path / "a.warc.gz").open("wb") as file:
        writer = WARCWriter(file)
        for month, body in (("01", article(1)), ("06", article(2))):
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            given = {"WARC-Date": f"2014-{month}-03T00:00:00Z", "WARC-Record-ID": f"<urn:{month}>"}
            writer.write_record(
                writer.create_warc_record(
                    PAGE, "response", io.BytesIO(body), http_headers=headers, warc_headers_dict=given
                )
            )
        revisit(writer, PAGE, "2014-07-03T00:00:00Z", "urn:07", Refers_To="<urn:01>")
    assert extract(tmp_path / "a.warc.gz", tmp_path / "c") == 0
    assert main(["text", str(tmp_path / "c"), "--url", PAGE, "--at", at]) == 0
    printed = capfdbinary.readouterr()
    (row,) = (row for row in rows(tmp_path / "c") if row["record_id"] == name)
    assert printed.out.decode() == row["text"] + "\n"


def test_a_url_that_has_only_revisits_is_said_to(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["text", str(corpora / "c2015"), "--url", PAGE]) == 2
    assert "cedar revisits" in capsys.readouterr().err


def test_a_file_inside_a_corpus_is_refused(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside = str(corpora / "c2015" / "pages" / "x.parquet")
    assert main(["revisits", str(corpora / "c2015"), "--output", inside]) == 2
    assert inside in capsys.readouterr().err
