"""`--text-plain keep`: records of text/plain as pages, with all of their text."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from cedar.pipelines.cli import main
from cedar.transforms.decode.media import is_binary
from tests.extract.runs import extract
from tests.helpers.corpus import books, rows
from tests.helpers.crawl import article

TEXT = "Notes of 1998\n\n  if a < b && b > c:   &amp; <b>\nEnd\n"
KEPT = "Notes of 1998\nif a < b && b > c: &amp; <b>\nEnd"


@pytest.fixture(scope="module")
def warc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plain") / "a.warc.gz"
    answers = (
        ("page", "text/html", article(1)),
        ("notes", "text/plain; charset=iso-8859-1", f"{TEXT}caf\u00e9".encode("latin-1")),
        ("marked-up", "text/plain", article(2)),
        ("binary", "text/plain", b"\x00\x01\x02" * 300),
        ("picture", "image/png", b"\x89PNG\r\n\x1a\n"),
        ("nothing", "text/plain", b""),
    )
    with path.open("wb") as file:
        writer = WARCWriter(file)
        for name, media_type, body in answers:
            headers = StatusAndHeaders("200 OK", [("Content-Type", media_type)], protocol="HTTP/1.1")
            url = f"https://crawl.example/{name}"
            record = writer.create_warc_record(url, "response", io.BytesIO(body), http_headers=headers)
            writer.write_record(record)
    return path


@pytest.mark.parametrize("extractor", ["cedar", "cetr", "cetd-ds"])
def test_plain_text_is_kept_whole_whatever_the_method(extractor: str, warc: Path, tmp_path: Path) -> None:
    assert extract(warc, tmp_path / "c", "--text-plain", "keep", "--extractor", extractor) == 0
    found = {row["url"].rpartition("/")[2]: row for row in rows(tmp_path / "c")}
    assert set(found) == {"page", "notes", "marked-up"}
    notes = found["notes"]
    assert notes["text"] == f"{KEPT}\ncaf\u00e9"
    assert (notes["media_type"], notes["fallback"]) == ("text/plain", "keep-all: plain text")
    assert (notes["html_bytes"], notes["title"], notes["lang"]) == (len(TEXT) + 4, None, None)
    assert found["marked-up"]["fallback"] is None
    assert found["marked-up"]["title"] == "Page 2"
    assert books(tmp_path / "c")["rejected"] == {"media_type": 2, "empty_body": 1}


def test_plain_text_is_rejected_otherwise(warc: Path, tmp_path: Path) -> None:
    assert extract(warc, tmp_path / "c") == 0
    assert len(rows(tmp_path / "c")) == 2
    assert extract(warc, tmp_path / "c", "--text-plain", "keep") == 2  # another choice


def test_plain_text_as_markdown_stands_as_it_is(warc: Path, tmp_path: Path) -> None:
    assert extract(warc, tmp_path / "c", "--text-plain", "keep", "--with-markdown", "--with-metadata") == 0
    (row,) = (row for row in rows(tmp_path / "c") if row["fallback"])
    assert row["markdown"] == f"```\n{TEXT}caf\u00e9\n```"


def test_commands_for_one_page_read_plain_text(
    warc: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert extract(warc, tmp_path / "c", "--text-plain", "keep") == 0
    for source in (warc, tmp_path / "c"):
        capfdbinary.readouterr()
        command = [str(source), "--url", "https://crawl.example/notes"]
        assert main(["text", *command]) == 0
        assert capfdbinary.readouterr().out.decode() == f"{KEPT}\ncaf\u00e9\n"
        assert main(["explain", *command, "--output", str(tmp_path / "x.html")]) == 2
        assert b"plain text" in capfdbinary.readouterr().err


def test_text_of_a_terminal_is_no_binary_file() -> None:
    assert not is_binary(b"beep\x07", None)
    assert not is_binary(b"N\x08NA\x08AM\x08ME\x08E\n    ls - list directory contents\n", None)
    assert is_binary(b"\x00\x07" * 300, None)
