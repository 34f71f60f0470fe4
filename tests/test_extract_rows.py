"""`ExtractRows`: the rows of `cedar extract` in a pipeline of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.testing.test_pipeline import TestPipeline
from apache_beam.testing.util import assert_that, equal_to

import cedar
from cedar.transforms.model.columns import TIME_COLUMNS
from tests.extract.runs import extract
from tests.helpers.corpus import rows as page_rows
from tests.helpers.crawl import write_warc
from tests.test_curate import rows

KEEP = "words > 30"


def plain(row: Any) -> dict[str, Any]:
    return {name: value for name, value in row.as_dict().items() if name not in TIME_COLUMNS}


@pytest.mark.slow
def test_rows_are_those_of_the_command(tmp_path: Path) -> None:
    crawl, corpus = write_warc(tmp_path / "crawl.warc.gz", 6), tmp_path / "corpus"
    write_warc(tmp_path / "short.warc.gz", 2, first=90, paragraphs=1)
    asked = ("--with-markdown", "--with-metadata", "--signals", "--mask", "email", "--keep", KEEP)
    assert extract(tmp_path, corpus, *asked, "--workers", "1") == 0
    expected = page_rows(corpus)
    for row in expected:
        row["fetched_at"] = int(row["fetched_at"].timestamp() * 1_000_000)
    dropped = sorted((row["url"], row["drop_reason"]) for row in rows(corpus, "dropped"))
    assert len(expected) == 6
    assert len(dropped) == 2
    with TestPipeline("FnApiRunner") as pipeline:
        outputs = (
            pipeline
            | cedar.ReadWarc(str(crawl.parent / "*.warc.gz"))
            | cedar.DecodePage()
            | cedar.ExtractRows(
                markdown=cedar.MarkdownOptions(), metadata=True, signals=True, mask=("email",), keep=(KEEP,)
            )
        )
        assert_that(outputs.pages | beam.Map(plain), equal_to(expected), label="pages")
        gone = outputs.dropped | beam.Map(lambda row: (row.url, row.drop_reason))
        assert_that(gone, equal_to(dropped), label="dropped")
        reasons = (
            outputs.rejects | beam.Map(lambda reject: reject.reason.value) | beam.combiners.Count.PerElement()
        )
        assert_that(reasons, equal_to([("not_response", 5), ("status", 3)]), label="rejects")


def test_rows_have_a_schema() -> None:
    site = [("https://sea.example/", "<p>" + "Tides turn the wheel. " * 20)]
    with TestPipeline("FnApiRunner") as pipeline:
        pages = pipeline | beam.Create(site) | beam.MapTuple(cedar.from_html) | cedar.DecodePage()
        outputs = pages | cedar.ExtractRows("cetr", options={"smoothing": "literal"})
        found = outputs.pages | beam.Select("url", "words", "lang") | beam.Map(tuple)
        assert_that(found, equal_to([("https://sea.example/", 80, None)]))


def test_fineweb2_holds_pages_to_the_rows_that_come_with_it() -> None:
    asked = cedar.ExtractRows(language=True, preset=("fineweb2",))
    assert asked.choices["fineweb2"].endswith(" keep")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"html": True, "mask": ("ip",)}, "the HTML of a page is not masked"),
        ({"mask": ("name",)}, "choose from email, ip, phone"),
        ({"keep": ("no_column > 1",)}, "no_column"),
        ({"preset": ("nobody",)}, "unknown preset 'nobody'"),
        ({"extractor": "cetr", "markdown": cedar.MarkdownOptions()}, "Markdown"),
        ({"options": {"no": 1}}, "no"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        cedar.ExtractRows(**asked)


def test_records_that_nothing_decoded_are_refused(tmp_path: Path) -> None:
    crawl = write_warc(tmp_path / "crawl.warc.gz", 1)
    with pytest.raises(TypeError, match=r"put DecodePage\(\) between"):
        _ = TestPipeline("FnApiRunner") | cedar.ReadWarc(str(crawl)) | cedar.ExtractRows()
