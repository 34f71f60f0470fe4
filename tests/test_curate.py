"""`Curate` and what `cedar extract` makes of it: columns, dropped pages, signatures, books."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from apache_beam.transforms.window import GlobalWindow

from cedar.pipelines.common.outcome import english_presets_note
from cedar.transforms.curate import Curate
from cedar.transforms.curation.curator import Curator
from cedar.transforms.curation.expressions import parse
from cedar.transforms.curation.plan import CurationPlan, columns_for, parse_rules
from cedar.transforms.curation.rules import Rules
from cedar.transforms.curation.signatures import sign_text, url_hash
from cedar.transforms.model.annotations import Drop, Language, Signals
from cedar.transforms.model.books import RejectReason, Stage
from cedar.transforms.model.costs import NO_COST, Cost
from cedar.transforms.model.records import ExtractedPage, Reject
from tests.curation import fasttext_files
from tests.extract.runs import extract
from tests.helpers.corpus import books, rows
from tests.helpers.crawl import write_warc
from tests.helpers.elements import end, extracted, reject, shard
from tests.helpers.held_runs import held_run
from tests.helpers.processes import kill

ONE = shard("one-00000000-000000000000-000000000100")
SHORT, LONG = "Too short.", "The miller walked to the weir and saw the heron. " * 3


def rules(*keeps: str, presets: tuple[str, ...] = ()) -> Rules:
    return parse_rules(keeps, presets, ("language", "signals"))


def curate(plan: CurationPlan, elements: list[Any]) -> list[Any]:
    """Run one bundle through the step, without Beam's runner."""
    step = Curate(plan)._step
    step.setup()
    step.start_bundle()
    out = [made for element in elements for made in step.process(element, 0, GlobalWindow())]
    return [made.value for made in [*out, *step.finish_bundle()]]


def test_nothing_asked_for_is_no_step() -> None:
    pages = object()
    assert Curate(CurationPlan()).expand(pages) is pages
    assert not CurationPlan().is_on
    assert CurationPlan(signatures=True).is_on


def test_rejects_and_marks_pass_untouched() -> None:
    others = [reject(ONE), end(ONE, 1)]
    assert curate(CurationPlan(signals=True), others) == others


def test_signals_are_an_annotation_and_take_time() -> None:
    (page,) = curate(CurationPlan(signals=True), [extracted(ONE, 1, LONG)])
    (signals,) = page.annotations
    assert isinstance(signals, Signals)
    assert signals.cedar_words == 30
    assert signals.stop_words == 3
    assert page.filter.wall > 0
    assert page.row == extracted(ONE, 1, LONG).row


def test_what_others_say_of_a_page_stays() -> None:
    class Other(tuple):
        __slots__ = ()

    page = dataclasses.replace(extracted(ONE, 1), annotations=(Other(),))
    (out,) = curate(CurationPlan(signals=True), [page])
    assert [type(record) for record in out.annotations] == [Other, Signals]


def test_annotations_that_are_there_are_not_made_anew() -> None:
    known = curate(CurationPlan(signals=True), [extracted(ONE, 1, LONG)])[0].annotations
    page = dataclasses.replace(extracted(ONE, 1, SHORT), annotations=known)
    (out,) = curate(CurationPlan(signals=True, rules=rules("cedar_words == 30")), [page])
    assert out.annotations == (*known, Drop(None))


@pytest.mark.parametrize("mode", ["move", "mark", "reject"])
def test_a_page_that_fails_is_moved_marked_or_rejected(mode: str) -> None:
    plan = CurationPlan(
        signals=True, dropped=mode, rules=rules("cedar_words > 5", presets=("gopher-quality",))
    )
    elements = [extracted(ONE, 1, SHORT), extracted(ONE, 2, LONG)]
    first, second = curate(plan, elements)
    assert second.annotations[-1] == Drop("gopher-quality: cedar_words 30 < 50") if mode != "reject" else True
    if mode == "reject":
        assert (first.stage, first.reason) == (Stage.FILTER, RejectReason.FILTERED)
        assert first.detail == "keep: cedar_words > 5 (cedar_words 2)"
        assert second.detail == "gopher-quality: cedar_words 30 < 50"
        assert first.row.url == elements[0].row.url
        assert (first.decode, first.extract) == (elements[0].decode, elements[0].extract)
        assert first.filter != NO_COST
    else:
        assert first.annotations[-1] == Drop("keep: cedar_words > 5 (cedar_words 2)")
        assert first.dropped_by == ("keep: cedar_words > 5" if mode == "move" else None)
        assert second.dropped_by == ("gopher-quality: cedar_words < 50" if mode == "move" else None)


def test_a_page_over_its_time_is_a_reject_with_its_costs() -> None:
    curator = Curator(CurationPlan(signatures=True, signals=True), page_seconds=3.5)
    (page,) = curator.curate([extracted(ONE, 1, LONG)])
    assert isinstance(page, ExtractedPage)
    slow = dataclasses.replace(extracted(ONE, 2, LONG), decode=Cost(2, 2), extract=Cost(2, 2))
    (late,) = curator.curate([slow])
    assert isinstance(late, Reject)
    assert (late.stage, late.reason, late.detail) == (
        Stage.FILTER,
        RejectReason.TIME_LIMIT,
        "3.5 s of CPU time",
    )
    assert (late.decode, late.extract) == (Cost(2, 2), Cost(2, 2))
    assert late.filter != NO_COST


def test_a_step_that_fails_on_a_page_costs_that_page_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise UnicodeDecodeError("utf-8", b"x", 0, 1, "odd")

    curator = Curator(CurationPlan(signals=True))
    monkeypatch.setattr("cedar.transforms.curation.curator.measure", fails)
    (failed,) = curator.curate([extracted(ONE, 1, LONG)])
    assert isinstance(failed, Reject)
    assert (failed.stage, failed.reason) == (Stage.FILTER, RejectReason.PAGE_ERROR)
    assert failed.detail == "UnicodeDecodeError: 'utf-8' codec can't decode byte 0x78 in position 0: odd"


def test_a_signature_holds_keys_digests_and_all_of_it_where_asked_for() -> None:
    keys, minima = sign_text(LONG)
    assert keys is not None
    (page,) = curate(CurationPlan(signatures=True), [extracted(ONE, 1, LONG)])
    assert page.signature.keys == keys
    assert page.signature.minhash is None
    assert page.signature.url_hash == url_hash("http://SAMPLE.example/1#top")
    assert page.annotations == ()
    (page,) = curate(CurationPlan(signatures=True, full_signatures=True), [extracted(ONE, 1, LONG)])
    assert page.signature.minhash == minima
    (page,) = curate(CurationPlan(signatures=True), [extracted(ONE, 1, SHORT)])
    assert page.signature.keys is None


def test_stop_words_are_those_of_the_language_that_was_found(tmp_path: Path) -> None:
    model = fasttext_files.write(tmp_path / "model.bin")
    (page,) = curate(CurationPlan(language_model=str(model), signals=True), [extracted(ONE, 1, LONG)])
    language, signals = page.annotations
    assert isinstance(language, Language)
    assert language.language_source == "model.bin"
    assert (signals.stop_words is None) == (language.language == "zho")
    (page,) = curate(CurationPlan(language_model=str(model), signals=True), [extracted(ONE, 1, SHORT[:5])])
    assert page.annotations[0] == Language()
    assert page.annotations[1].stop_words is None


def test_hosts_and_schemes_of_urls_are_one_and_paths_are_not() -> None:
    assert url_hash("http://A.example/x?q#f") == url_hash("https://a.example/x?q")
    assert url_hash("https://a.example/X") != url_hash("https://a.example/x")
    assert url_hash("https://a.example/") != url_hash("https://a.example")


def test_expressions_see_all_columns_but_times() -> None:
    columns = columns_for(("language", "signals"))
    assert parse("cedar_words > 3 and language == en and words > 2", columns)
    for name in ("decode_seconds", "extract_seconds", "drop_reason"):
        assert name not in columns.kinds
    assert columns_for(()).unfilled["dup_lines"] == "--signals"
    assert columns_for(()).unfilled["language"] == "--language"
    assert columns_for(()).unfilled["html"] == "--with-html"


def test_the_plan_crosses_to_workers() -> None:
    from apache_beam.internal import pickler

    plan = CurationPlan(
        signals=True, rules=rules("cedar_words > 3 and language in (en, de)", presets=("c4",))
    )
    assert pickler.loads(pickler.dumps(plan)) == plan


# From end to end.

PAGES, FILES = 30, 4
KEEP = ("--keep", "text_chars >= 500", "--preset", "c4")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("crawl")
    for number in range(FILES):
        write_warc(
            directory / f"{number:05d}.warc.gz", PAGES, first=100**number, paragraphs=3 + 9 * (number % 2)
        )
    return directory


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["move", "mark", "reject"])
def test_books_balance_with_drops(mode: str, crawl: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    assert extract(crawl, corpus, *KEEP, "--dropped", mode, "--signatures", "--workers", "1") == 0
    found = books(corpus)
    assert found["balanced"]
    assert found["records_read"] == FILES * (1 + PAGES + 2 * PAGES // 5)
    pages, dropped = rows(corpus, "pages"), rows(corpus, "dropped")
    assert found["pages"] == len(pages)
    short = [row for row in pages + dropped if row["text_chars"] < 500]
    for row in short:
        said = f"keep: text_chars >= 500 (text_chars {row['text_chars']})"
        assert row["drop_reason"] in (said, None)
    if mode == "move":
        assert found["dropped"] == {"keep: text_chars >= 500": 2 * PAGES}
        assert len(dropped) == len(short) == 2 * PAGES
        assert {row["drop_reason"] for row in pages} == {None}
    elif mode == "mark":
        assert found["dropped"] == {}
        assert len(pages) == FILES * PAGES
        assert len(short) == 2 * PAGES
    else:
        assert found["rejected"]["filtered"] == 2 * PAGES
        assert len(pages) == 2 * PAGES
        details = {
            (row["stage"], row["detail"].partition(" (")[0])
            for row in rows(corpus, "rejects")
            if row["reason"] == "filtered"
        }
        assert details == {("filter", "keep: text_chars >= 500")}
    for path in sorted((corpus / "pages").glob("*")):
        digests = pq.read_table(path)["text_digest"].to_pylist()
        signatures = corpus / "signatures" / path.name
        signed = pq.read_table(signatures).to_pylist() if signatures.exists() else []
        assert [row["row"] for row in signed] == list(range(len(digests)))
        assert [row["text_digest"].hex() for row in signed] == digests


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["move", "mark", "reject"])
def test_a_run_that_was_killed_goes_on_to_the_same_corpus(mode: str, crawl: Path, tmp_path: Path) -> None:
    options = [*KEEP, "--dropped", mode, "--signatures"]
    assert extract(crawl, tmp_path / "whole", *options) == 0
    corpus = tmp_path / "killed"
    for shards in (0, 1):
        with held_run("extract", str(crawl), "--output", str(corpus), *options, after=shards) as (run, _):
            kill(run)
    assert extract(crawl, corpus, *options) == 0
    for kind in ("pages", "dropped", "rejects", "signatures"):
        assert rows(corpus, kind) == rows(tmp_path / "whole", kind), kind
    one, other = books(corpus), books(tmp_path / "whole")
    assert one["balanced"]
    for name in ("records_read", "pages", "dropped", "rejected"):
        assert one[name] == other[name]


def test_rules_are_part_of_the_corpus(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "corpus"
    assert extract(crawl, corpus, "--keep", "words>50 and status==200") == 0
    assert json.loads((corpus / "corpus.json").read_text())["keep"] == "words > 50 and status == 200"
    assert extract(crawl, corpus, "--keep", "words > 50  and  status == 200") == 0
    assert extract(crawl, corpus, "--keep", "words > 51") == 2
    assert "keep 'words > 50 and status == 200', now 'words > 51'" in capsys.readouterr().err


def test_a_corpus_without_any_of_it_says_nothing_of_it(crawl: Path, tmp_path: Path) -> None:
    assert extract(crawl, tmp_path / "corpus") == 0
    described = json.loads((tmp_path / "corpus" / "corpus.json").read_text())
    said = ("keep", "presets", "signals", "language_model", "signatures")
    assert not any(described[name] for name in said)
    assert described["column_groups"] == ["confidence"]
    (summary, *_) = (tmp_path / "corpus" / "shards").iterdir()
    assert "filter" not in json.loads(summary.read_text())["seconds"]


def test_a_model_of_the_user_is_part_of_the_corpus(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = fasttext_files.write(tmp_path / "own.bin")
    corpus = tmp_path / "corpus"
    options = ("--language-model", str(model), "--preset", "gopher-repetition", "--dropped", "mark")
    assert extract(crawl, corpus, *options) == 0
    pages = rows(corpus, "pages")
    assert {row["language_source"] for row in pages} == {"own.bin"}
    judged = Counter(row["language"] for row in pages)
    assert books(corpus)["judged"] == judged
    foreign = len(pages) - judged["eng"]
    assert (f"and judged {foreign} pages in other languages" in capsys.readouterr().err) == bool(foreign)
    model.write_bytes(model.read_bytes()[:-4] + b"\0\0\0\0")
    assert extract(crawl, corpus, *options) == 2
    assert "language-model 'own.bin " in capsys.readouterr().err


def test_languages_that_presets_judged_are_told_where_they_are_not_english() -> None:
    assert english_presets_note({}) == english_presets_note({"eng": 5}) == ""
    note = english_presets_note({"deu": 1200, "eng": 5, "fra": 3, "ita": 3, "nld": 2, "pol": 1, "rus": 9})
    assert "judged 1,218 pages in other languages (deu 1,200, rus 9, fra 3, ita 3, nld 2, ...)" in note
    assert "presets other than fineweb2 were made" in note
    assert "--preset fineweb2 alone judges" in note
    assert "--keep 'language == eng'" in note


def test_who_asked_for_other_languages_is_told_of_bounds_for_them() -> None:
    note = english_presets_note({"deu": 1200, "fra": 3})
    assert "(deu 1,200, fra 3): --preset fineweb2 alone judges" in note
    assert "--keep" not in note


def test_pages_that_an_expression_dropped_were_judged_by_no_preset() -> None:
    plan = CurationPlan(signals=True, rules=rules("language == en or cedar_words > 20", presets=("c4",)))
    pages = [
        dataclasses.replace(extracted(ONE, n, text), annotations=(Language(language=language),))
        for n, (text, language) in enumerate([(SHORT, "deu"), (LONG, "deu"), (SHORT, "eng"), (LONG, None)])
    ]
    assert [page.judged for page in curate(plan, pages)] == [None, "deu", "eng", None]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--keep", "cedar_words > 3"],
            "--keep: character 1 of 'cedar_words > 3': cedar_words is filled only with --signals",
        ),
        (["--keep", "wrds > 3"], "there is no column 'wrds' (the nearest is 'words')"),
        (["--preset", "goffer"], "unknown preset 'goffer' (choose from gopher,"),
        (["--dropped", "mark"], "--dropped is for pages that fail --keep or --preset"),
        (["--language-model", "nowhere.bin"], "cannot read the language model 'nowhere.bin'"),
    ],
)
def test_what_makes_no_sense_ends_before_anything_starts(
    options: list[str], message: str, crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(crawl, tmp_path / "corpus", *options) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "corpus").exists()
