"""What a row tells of its record: by which it joins an archive's own index."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.extract.runs import extract
from tests.helpers.corpus import rows
from tests.helpers.crawl import article, payload_digest

DATES = ("2014-01-03T02:30:01Z", "2015-06-07T08:09:10.250Z", "2016-02-29T23:59:59Z")
BODIES = (article(1), b"\x89PNG\r\n\x1a\n" * 9, b"<p>gone</p>")


def write_archive(path: Path, *, gzip: bool = True) -> Path:
    """A page, a picture, an answer that is missing: each with all that a header may say."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=gzip)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "test"}))
        answers = (
            ("https://crawl.example/page", "200 OK", "text/html"),
            ("https://crawl.example/image", "200 OK", "image/png"),
            ("https://crawl.example/gone", "404 Not Found", "text/html; charset=utf-8"),
        )
        for number, (url, status, media_type) in enumerate(answers):
            headers = StatusAndHeaders(status, [("Content-Type", media_type)], protocol="HTTP/1.1")
            given = {
                "WARC-Record-ID": f"<urn:uuid:{number}>",
                "WARC-Date": DATES[number],
                "WARC-Warcinfo-ID": "<urn:uuid:info>",
            }
            record = writer.create_warc_record(
                url,
                "response",
                payload=io.BytesIO(BODIES[number]),
                http_headers=headers,
                warc_headers_dict=given,
            )
            writer.write_record(record)
        text = writer.create_warc_record(
            "https://crawl.example/notes",
            "metadata",
            payload=io.BytesIO(b"fetchTimeMs: 1"),
            warc_content_type="application/warc-fields",
        )
        writer.write_record(text)
    return path


def zipped(path: Path, warc: Path, method: int) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("datapackage.json", b"{}")
        file.write(warc, f"archive/{warc.name}")
    return path


def test_a_page_has_the_ids_and_the_digest_of_its_record_as_written(tmp_path: Path) -> None:
    assert extract(write_archive(tmp_path / "a.warc.gz"), tmp_path / "c") == 0
    (row,) = rows(tmp_path / "c")
    assert (row["record_id"], row["warcinfo_id"]) == ("urn:uuid:0", "urn:uuid:info")
    assert row["payload_digest"] == payload_digest(BODIES[0])
    assert (row["warc_name"], row["warc_offset"]) == (None, None)


def test_a_reject_has_id_date_status_and_media_type_as_far_as_they_are_known(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "a.warc.gz")
    assert extract(path, tmp_path / "c", "--reject-rows", "all") == 0
    found = {row["url"]: row for row in rows(tmp_path / "c", "rejects")}
    known = ("reason", "record_id", "payload_digest", "status", "media_type")
    assert {url: tuple(row[name] for name in known) for url, row in found.items() if url} == {
        "https://crawl.example/image": (
            "media_type",
            "urn:uuid:1",
            payload_digest(BODIES[1]),
            200,
            "image/png",
        ),
        "https://crawl.example/gone": ("status", "urn:uuid:2", payload_digest(BODIES[2]), 404, "text/html"),
        "https://crawl.example/notes": (
            *("not_response", found["https://crawl.example/notes"]["record_id"]),
            *(found["https://crawl.example/notes"]["payload_digest"], None, "application/warc-fields"),
        ),
    }
    assert (
        found["https://crawl.example/image"]["fetched_at"].isoformat() == "2015-06-07T08:09:10.250000+00:00"
    )


def test_a_page_that_an_extractor_fails_on_keeps_what_is_known(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "a.warc.gz")
    assert extract(path, tmp_path / "c", "--keep", "words > 9999", "--dropped", "reject") == 0
    (row,) = (row for row in rows(tmp_path / "c", "rejects") if row["reason"] == "filtered")
    assert (row["record_id"], row["status"], row["media_type"]) == ("urn:uuid:0", 200, "text/html")
    assert row["fetched_at"].year == 2014


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("gzip", [True, False])
def test_the_place_in_a_wacz_is_also_that_in_its_warc(tmp_path: Path, method: int, gzip: bool) -> None:
    warc = write_archive(tmp_path / "data.warc", gzip=gzip)
    assert extract(warc, tmp_path / "of-warc") == 0
    assert extract(zipped(tmp_path / "a.wacz", warc, method), tmp_path / "of-wacz") == 0
    for kind in ("pages", "rejects"):
        places = [row["offset"] for row in rows(tmp_path / "of-warc", kind)]
        found = rows(tmp_path / "of-wacz", kind)
        assert [row["warc_offset"] for row in found] == places
        assert {row["warc_name"] for row in found} == {"archive/data.warc"}


def test_a_status_of_a_table_that_no_column_holds_is_none(tmp_path: Path) -> None:
    row: dict[str, Any] = {"url": "https://crawl.example/", "html": "<p>x</p>", "status": 10**15}
    (tmp_path / "t.jsonl").write_text(json.dumps(row))
    assert extract(tmp_path / "t.jsonl", tmp_path / "c") == 0
    (found,) = rows(tmp_path / "c", "rejects")
    assert (found["reason"], found["status"], found["detail"]) == ("status", None, str(10**15))
