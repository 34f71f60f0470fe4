"""`WriteCorpus`: a pipeline of one's own ends in a corpus that the commands read."""

from __future__ import annotations

import json
import typing
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.testing.test_pipeline import TestPipeline
from apache_beam.typehints.row_type import RowTypeConstraint

import cedar
from cedar.pipelines.cli import main
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.model.annotations import Own
from cedar.transforms.model.columns import TIME_COLUMNS
from cedar.transforms.model.summaries import ShardSummary
from tests.extract.runs import extract
from tests.helpers.corpus import books
from tests.helpers.corpus import rows as page_rows
from tests.helpers.crawl import write_warc
from tests.test_curate import rows


def site(number: int) -> list[tuple[str, str]]:
    return [
        (f"https://sea.example/{n}", f"<p>{n} tides turn the wheel. " * (9 * n + 1)) for n in range(number)
    ]


def extracted(pipeline: Any, made: Any, number: int = 9) -> Any:
    pages = pipeline | beam.Create(site(number)) | beam.MapTuple(cedar.from_html) | cedar.DecodePage()
    return pages | made


def written(root: Path, made: Any, *, number: int = 9, **how: Any) -> None:
    with TestPipeline("FnApiRunner") as pipeline:
        _ = extracted(pipeline, made, number) | cedar.WriteCorpus(str(root), made, files=3, **how)


def lasting(corpus: Path, kind: str) -> list[dict[str, Any]]:
    read = page_rows(corpus) if kind == "pages" else rows(corpus, kind)
    kept = [{name: row[name] for name in row if name not in TIME_COLUMNS} for row in read]
    return sorted(kept, key=lambda row: (row["source"], row["offset"], str(row["url"])))


@pytest.mark.slow
def test_the_corpus_has_the_rows_and_books_of_the_command(tmp_path: Path) -> None:
    crawl, ours, theirs = write_warc(tmp_path / "a.warc.gz", 6), tmp_path / "ours", tmp_path / "theirs"
    write_warc(tmp_path / "short.warc.gz", 2, first=90, paragraphs=1)
    asked = ("--with-metadata", "--signals", "--mask", "email", "--keep", "words > 30")
    assert extract(tmp_path, theirs, *asked, "--workers", "1", "--reject-rows", "all") == 0
    made = cedar.ExtractRows(metadata=True, signals=True, mask=("email",), keep=("words > 30",))
    with TestPipeline("FnApiRunner") as pipeline:
        records = pipeline | cedar.ReadWarc(str(crawl.parent / "*.warc.gz"))
        _ = records | cedar.DecodePage() | made | cedar.WriteCorpus(str(ours), made)
    for kind in ("pages", "dropped"):
        assert lasting(ours, kind) == lasting(theirs, kind)
    for name in ("records_read", "pages", "dropped", "rejected", "balanced"):
        assert books(ours)[name] == books(theirs)[name]
    said, expected = (json.loads((root / "corpus.json").read_text()) for root in (ours, theirs))
    for name in ("extractor", "extractor_options", "keep", "mask", "column_groups"):
        assert said[name] == expected[name]
    assert main(["report", str(ours), "--text"]) == 0
    assert main(["filter", str(ours), "--keep", "words > 40", "--output", str(tmp_path / "f"), "-q"]) == 0
    assert main(["browse", str(ours), "--output", str(tmp_path / "site"), "--drawings", "0"]) == 0
    assert main(["dedup", str(ours), "--output", str(tmp_path / "u"), "-q"]) == 0


def test_the_same_rows_change_nothing_and_others_are_refused(tmp_path: Path) -> None:
    made, root = cedar.Extract(), tmp_path / "corpus"
    written(root, made)
    before = {path: path.stat().st_mtime_ns for path in root.glob("*/*")}
    assert books(root)["pages"] == 9
    written(root, made)
    assert {path: path.stat().st_mtime_ns for path in root.glob("*/*")} == before
    with pytest.raises(Exception, match="holds other rows: choose another root, or overwrite=True"):
        written(root, made, number=8)
    assert {path: path.stat().st_mtime_ns for path in root.glob("*/*")} == before
    with pytest.raises(ValueError, match=r"other options .*: choose another root, or overwrite=True"):
        written(root, cedar.ExtractRows("cetr"))
    written(root, made, number=8, overwrite=True)
    assert books(root)["pages"] == 8


def test_of_two_runs_at_once_with_other_rows_the_later_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, root = cedar.Extract(), tmp_path / "corpus"
    written(root, made)
    (root / "run.json").unlink()  # the other run has not ended
    committed, seen = Corpus.commit_of, set[str]()

    def a_moment_late(corpus: Corpus, shard: str) -> ShardSummary | None:
        is_first = shard not in seen
        seen.add(shard)
        return None if is_first else committed(corpus, shard)

    monkeypatch.setattr(Corpus, "commit_of", a_moment_late)
    with pytest.raises(Exception, match="holds other rows: choose another root, or overwrite=True"):
        written(root, made, number=8)
    assert seen
    assert not list(root.glob("_tmp/*"))


def test_a_refused_run_leaves_the_corpus_as_it_was(tmp_path: Path) -> None:
    made, root = cedar.Extract(), tmp_path / "corpus"
    written(root, made, number=1)
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}
    assert len(list((root / "shards").iterdir())) == 1
    pipeline = TestPipeline("FnApiRunner")
    outputs = extracted(pipeline, made)
    others = outputs.pages | beam.Filter(lambda row: not row.url.endswith("/0"))
    _ = {"pages": others} | cedar.WriteCorpus(str(root), made, files=3)
    with pytest.raises(Exception, match="holds other rows: choose another root"):
        pipeline.run()  # its rows are in parts that had none, too
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()} == before


def test_a_run_that_was_killed_before_its_end_is_finished_by_the_next(tmp_path: Path) -> None:
    made, root = cedar.Extract(), tmp_path / "corpus"
    written(root, made)
    (root / "run.json").unlink()
    next((root / "shards").iterdir()).unlink()
    written(root, made)
    assert books(root)["pages"] == 9


@pytest.mark.parametrize("output", ["avro", "jsonl"])
def test_columns_of_ones_own_come_along(tmp_path: Path, output: str) -> None:
    made, root = cedar.Extract(), tmp_path / "corpus"
    with TestPipeline("FnApiRunner") as pipeline:
        outputs = extracted(pipeline, made)
        fields = RowTypeConstraint.from_user_type(cedar.PageRow)._fields
        kind = RowTypeConstraint.from_fields([*fields, ("topic", str), ("weight", float | None)])
        more = beam.Map(lambda row: beam.Row(**row._asdict(), topic="sea", weight=row.words / 2))
        given = {"pages": outputs.pages | more.with_output_types(kind), "rejects": outputs.rejects}
        _ = given | cedar.WriteCorpus(str(root), format=output, files=2)
    reader = CorpusReader.at(str(root))
    found = [page for summary in reader.summaries() for page in reader.pages(summary)]
    assert len(found) == 9
    for page in found:
        own = [dict(one.values) for one in page.annotations if isinstance(one, Own)]
        assert own == [{"topic": "sea"}, {"weight": page.row.words / 2}]
    assert len(list((root / "pages").iterdir())) == 2
    assert main(["filter", str(root), "--keep", "topic == sea", "--output", str(tmp_path / "f"), "-q"]) == 0


def wider(rows: Any, name: str, kind: Any, value: Any) -> Any:
    """Rows with one column more."""
    kinds = rows.element_type
    fields = (RowTypeConstraint.from_user_type(kinds) or kinds)._fields
    more = beam.Map(lambda row: beam.Row(**row._asdict(), **{name: value}))
    return rows | name >> more.with_output_types(RowTypeConstraint.from_fields([*fields, (name, kind)]))


def test_rows_that_were_dropped_need_no_columns_that_pages_were_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, root = cedar.ExtractRows(keep=("words > 90",)), tmp_path / "corpus"
    with TestPipeline("FnApiRunner") as pipeline:
        outputs = extracted(pipeline, made)
        mine = beam.Map(lambda row: beam.Row(**{**row._asdict(), "drop_reason": "mine"}))
        dropped = outputs.dropped | mine.with_output_types(outputs.dropped.element_type)
        pages = wider(wider(outputs.pages, "topic", str, "sea"), "markdown", str, "# Sea")
        given = {"pages": pages, "dropped": dropped}
        _ = given | cedar.WriteCorpus(str(root), made, files=1)
    assert {(row["topic"], row["markdown"]) for row in page_rows(root)} == {("sea", "# Sea")}
    assert {(row["topic"], row["drop_reason"]) for row in rows(root, "dropped")} == {(None, "mine")}
    assert main(["report", str(root), "--output", str(tmp_path / "report.html")]) == 0
    assert "mine" in capsys.readouterr().out + (tmp_path / "report.html").read_text()


@pytest.mark.parametrize("kind", [list[str], typing.List[str], set[int], list[str] | None, str | int, bytes])  # noqa: UP006
def test_a_column_of_a_kind_that_no_corpus_has_is_refused(tmp_path: Path, kind: Any) -> None:
    outputs = extracted(TestPipeline("FnApiRunner"), cedar.Extract())
    with pytest.raises(ValueError, match=r"themes is .*: a column of your own is str, bool, int or float"):
        _ = {"pages": wider(outputs.pages, "themes", kind, None)} | cedar.WriteCorpus(
            str(tmp_path / "corpus")
        )
    assert not (tmp_path / "corpus").exists()


def test_windows_of_pages_make_no_difference(tmp_path: Path) -> None:
    made = cedar.Extract()
    with TestPipeline("FnApiRunner") as pipeline:
        outputs = extracted(pipeline, made)
        windowed = outputs.pages | beam.WindowInto(beam.window.FixedWindows(60))
        given = {"pages": windowed, "rejects": outputs.rejects}
        _ = given | cedar.WriteCorpus(str(tmp_path / "corpus"), made, files=2)
    assert books(tmp_path / "corpus")["pages"] == 9


def test_a_pipeline_without_a_row_ends_in_an_empty_corpus(tmp_path: Path) -> None:
    with TestPipeline("FnApiRunner") as pipeline:
        outputs = extracted(pipeline, cedar.Extract())
        pages = outputs.pages | beam.Filter(lambda row: row.words < 0)
        _ = {"pages": pages} | cedar.WriteCorpus(str(tmp_path / "corpus"))
    assert books(tmp_path / "corpus")["pages"] == 0
    assert main(["report", str(tmp_path / "corpus"), "--text"]) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (beam.Select("url", "text"), "rows of a corpus have source, offset"),
        (
            beam.Map(lambda row: row).with_output_types(Any),
            r"\.with_output_types\(outputs\.pages\.element_type",
        ),
    ],
)
def test_what_are_no_rows_of_a_corpus_is_refused(tmp_path: Path, change: Any, said: str) -> None:
    outputs = extracted(TestPipeline("FnApiRunner"), cedar.Extract())
    with pytest.raises(ValueError, match=said):
        _ = {"pages": outputs.pages | change} | cedar.WriteCorpus(str(tmp_path / "corpus"))
    with pytest.raises(ValueError, match="takes outputs of ExtractRows"):
        _ = outputs.pages | "alone" >> cedar.WriteCorpus(str(tmp_path / "corpus"))
    assert not (tmp_path / "corpus").exists()
