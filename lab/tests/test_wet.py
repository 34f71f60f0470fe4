"""`wet`: Common Crawl's own text of a page, found by the record that it was made of."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter

from cedar.transforms.scoring.gold import GoldSet
from lab import judge
from tests.helpers.crawl import article, write_warc

TEXT = "Home\nThis\nPage {n}\nall that is seen, in a line"


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """A WARC file, the WET file of it, and gold for its pages."""
    warc = write_warc(tmp_path / "a.warc.gz", 3)
    gold = []
    with (tmp_path / "a.warc.wet.gz").open("wb") as file, warc.open("rb") as records:
        writer = WARCWriter(file, gzip=True)
        writer.write_record(writer.create_warcinfo_record("a.warc.wet.gz", {"software": "test"}))
        for record in ArchiveIterator(records):
            url = record.rec_headers["WARC-Target-URI"]
            if record.rec_type != "response" or url.endswith("gone"):
                continue
            number, id_ = int(url.rpartition("/")[2]), record.rec_headers["WARC-Record-ID"]
            known = {"id": str(number), "record_id": id_.strip("<>"), "text": TEXT.format(n=number)}
            gold.append({**known, "html": article(number).decode()})
            if number < 2:
                payload = io.BytesIO(TEXT.format(n=number).encode())
                headers = {"WARC-Refers-To": id_}
                writer.write_record(
                    writer.create_warc_record(
                        url, "conversion", payload=payload, warc_content_type="text/plain",
                        warc_headers_dict=headers,
                    )
                )  # fmt: skip
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(page) + "\n" for page in gold))
    return tmp_path


def test_texts_are_found_by_the_record_that_they_refer_to(
    pair: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = GoldSet.at(str(pair / "gold.jsonl"))
    found = judge.judged(gold, f"wet:file={pair / 'a.warc.wet.gz'}", metric="bag")
    assert (found.pages, found.failed, found.summary.f1.mean) == (3, 1, pytest.approx(2 / 3))
    assert "the WET file has no text of its record_id" in capsys.readouterr().err


def test_what_is_no_wet_file_is_named(pair: Path) -> None:
    assert len(judge.read_texts(str(pair / "a.warc.wet.gz"))) == 2
    broken = pair / "b.warc.wet.gz"
    broken.write_bytes((pair / "a.warc.wet.gz").read_bytes()[:-30])
    for given, message in (
        ("", "wet needs a file"),
        (f":file={pair / 'none.wet'}", "cannot read"),
        (f":file={pair / 'a.warc.gz'}", "is not a WET file"),
        (f":file={broken}", "is cut, or a text in it is"),
    ):
        with pytest.raises(ValueError, match=message):
            judge.method_of(f"wet{given}")
