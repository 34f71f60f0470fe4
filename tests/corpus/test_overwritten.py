"""Runs into one output with other options: the rows are those of one of them, whatever happens when.

Runs are held at every step of their commit, and go on at every question that a run with --overwrite asks of
its store; then whole commands, on a disk and in a store.
"""

from __future__ import annotations

import functools
import io
import itertools
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from cedar.transforms.corpus import corpus as corpus_module
from cedar.transforms.corpus.commit import commit_steps, revoke
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.corpus.errors import CorpusError, LostFilesError, ReplacedCorpusError
from cedar.transforms.corpus.formats import OutputFormat, open_writer
from cedar.transforms.corpus.identity import CorpusIdentity
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.settle import Inventory, refuse_unsettled, settle
from cedar.transforms.files.local import LocalStorage
from cedar.transforms.model.columns import columns_of
from cedar.transforms.model.costs import NO_COST
from cedar.transforms.model.records import SCHEMA_VERSION, RejectRow, Shard
from cedar.transforms.model.summaries import FileSummary, ShardSummary
from tests.helpers.crawl import write_warc
from tests.helpers.elements import reject_row
from tests.helpers.held_runs import held_run
from tests.helpers.object_server import ObjectServer, object_server
from tests.helpers.processes import kill
from tests.helpers.stores import Memory

SHARD = Shard("crawl-0a1b2c3d-000000000000-000000000100", "/data/crawl.warc.gz", 100, "mtime:7", 0, 100)
KINDS = ("pages", "rejects")
Steps = Generator[str, None, ShardSummary]


class Watched:
    """A store that calls a function before each question."""

    def __init__(self, storage: Any, before: Callable[[], None]) -> None:
        self._storage = storage
        self._before = before

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._storage, name)

        def asked(*given: Any, **named: Any) -> Any:
            self._before()
            return found(*given, **named)

        return asked


class Place:
    """A place of output in a store, whose questions are counted; what waits for one of them then goes on."""

    def __init__(self, storage: Any, root: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.storage, self.root = storage, root
        self._questions = 0
        self._waiting: dict[int, list[Callable[[], None]]] = {}
        watched = Watched(storage, self._before)
        monkeypatch.setattr(corpus_module, "storage_for", lambda _: watched)

    def at(self, question: int, go_on: Callable[[], None]) -> None:
        """Do something before a question, counted from now; several in the order of these calls."""
        self._waiting.setdefault(self._questions + question, []).append(go_on)

    def forget(self) -> None:
        """Let nothing wait any more."""
        self._waiting = {}

    def _before(self) -> None:
        waiting = self._waiting.pop(self._questions, [])
        self._questions += 1
        if waiting:
            held, self._waiting = self._waiting, {}  # what goes on asks, too
            at, self._questions = self._questions, -(10**9)
            for go_on in waiting:
                go_on()
            self._waiting, self._questions = held, at


def rows_of(attempt: str) -> bytes:
    file = io.BytesIO()
    file.close = lambda: None  # type: ignore[method-assign]
    writer = open_writer(file, "Reject", columns_of(RejectRow), output=OutputFormat(), attempt=attempt)
    writer.write([reject_row(detail=attempt)])
    writer.close()
    return file.getvalue()


ROWS = {letter * 32: rows_of(letter * 32) for letter in "abc"}


def begin(root: str, extractor: str, *, overwrite: bool = False) -> Corpus:
    choices = {"schema": SCHEMA_VERSION, "extractor": extractor, "format": "parquet", "column_groups": []}
    corpus, _ = CorpusIdentity(choices).claim(Corpus(root, "parquet"), overwrite=overwrite)
    return corpus


def attempt_at(corpus: Corpus, attempt: str) -> Steps:
    """An attempt at the shard: its files are staged with the first step."""
    files = {}
    for kind in KINDS:
        with corpus.storage.create(corpus.staged_path(kind, SHARD.name, attempt)) as file:
            file.write(ROWS[attempt])
        files[kind] = FileSummary(1, len(ROWS[attempt]), "parquet")
    summary = ShardSummary(
        shard=SHARD,
        first_offset=0,
        next_offset=100,
        records_read=2,
        pages=1,
        rejected={"no_url": 1},
        bytes={"in": 100, "html": 50, "text": 5},
        seconds={"read": NO_COST},
        finished_at="2026-01-31T12:00:00+00:00",
        attempt=attempt,
        files=files,
        options_digest="d" * 32,
        corpus_id=corpus.id,
    )
    return commit_steps(corpus, summary)


def go_on(attempt: Iterator[str], ended: list[str]) -> None:
    """Run an attempt to its end, which may be that its corpus is no more."""
    try:
        for _ in attempt:
            pass
        ended.append("done")
    except (ReplacedCorpusError, LostFilesError) as fault:
        ended.append(type(fault).__name__)


STEPS = 6
"""Steps of an attempt that nobody disturbs: staged, looked, committed, two files in place, the end."""


def held_after(attempt: Iterator[str], steps: int) -> Iterator[str]:
    for _ in itertools.islice(attempt, steps):
        pass
    return attempt


def assert_only(corpus: Corpus, attempt: str) -> None:
    """The corpus has the rows of one attempt, and nothing else is there once it is settled."""
    settled = settle(corpus)
    assert not settled.broken
    assert [summary.attempt for summary in settled.summaries] == [attempt]
    refuse_unsettled(corpus, corpus.root)
    reader = CorpusReader.at(corpus.root) if corpus.root.startswith("/") else None
    assert reader is None or [summary.attempt for summary in reader.summaries()] == [attempt]
    for kind in KINDS:
        (file,) = corpus.storage.list(f"{corpus.root}/{kind}")
        assert corpus.storage.read(file.path) == ROWS[attempt]
    assert not Inventory.of(Ledger(corpus)).others


def stores(kind: str, root: Path) -> Iterator[tuple[Any, str]]:
    """A store and a place in it that is empty, again and again."""
    for number in itertools.count():
        if kind == "disk":
            yield LocalStorage(), str(root / str(number))
        else:
            yield Memory().storage, "s3://b/corpus"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["disk", "store"])
def test_one_run_held_at_each_step_goes_on_at_each_question_of_one_that_overwrites(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = stores(kind, tmp_path)
    ends: set[str] = set()
    for steps in range(STEPS):
        for question in itertools.count():
            place = Place(*next(places), monkeypatch)
            first = attempt_at(begin(place.root, "cetr"), "a" * 32)
            held_after(first, steps)
            ended: list[str] = []
            place.at(question, functools.partial(go_on, first, ended))
            corpus = begin(place.root, "bte", overwrite=True)
            for _ in attempt_at(corpus, "b" * 32):
                pass
            is_over = not ended
            place.forget()
            go_on(first, ended)
            assert_only(corpus, "b" * 32)
            ends.update(ended)
            if is_over:
                break
    assert ends == {"done", "ReplacedCorpusError"} or kind == "store"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["disk", "store"])
def test_two_runs_held_at_each_step_go_on_at_questions_of_a_third_that_overwrites(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = stores(kind, tmp_path)
    number = 0
    for held in itertools.product(range(STEPS), repeat=2):
        for question in itertools.count(number % 3, 3):  # each third, another one each time
            number += 1
            place = Place(*next(places), monkeypatch)
            first = attempt_at(begin(place.root, "cetr"), "a" * 32)
            held_after(first, held[0])
            second = attempt_at(begin(place.root, "bte", overwrite=True), "b" * 32)
            held_after(second, held[1])
            both, ended = [first, second], list[str]()
            for attempt in both if number % 2 else both[::-1]:
                place.at(
                    question + 2 * (attempt is both[number // 2 % 2]),
                    functools.partial(go_on, attempt, ended),
                )
            corpus = begin(place.root, "mss", overwrite=True)
            for _ in attempt_at(corpus, "c" * 32):
                pass
            is_over = not ended
            place.forget()
            for attempt in both:
                go_on(attempt, ended)
            assert_only(corpus, "c" * 32)
            if is_over:
                break


def test_a_commit_of_the_corpus_before_is_replaced_and_named_until_then(tmp_path: Path) -> None:
    before = begin(str(tmp_path), "cetr")
    held_after(attempt_at(before, "a" * 32), STEPS)
    commit = tmp_path / "shards" / f"{SHARD.name}.json"
    left = commit.read_bytes()
    corpus = begin(str(tmp_path), "bte", overwrite=True)
    assert not commit.exists()
    commit.write_bytes(left)  # as a store may have it that was asked at the last moment
    assert corpus.commit_of(SHARD.name) is None
    with pytest.raises(Exception, match="of another corpus"):
        list(CorpusReader.at(str(tmp_path)).summaries())
    for _ in attempt_at(corpus, "b" * 32):
        pass
    assert_only(corpus, "b" * 32)


def test_a_run_that_was_overtaken_settles_and_revokes_nothing(tmp_path: Path) -> None:
    before = begin(str(tmp_path), "cetr")
    corpus = begin(str(tmp_path), "bte", overwrite=True)
    for _ in attempt_at(corpus, "b" * 32):
        pass
    for act in (settle, functools.partial(revoke, before, SHARD.name)):
        with pytest.raises(ReplacedCorpusError, match="overwrite"):
            act(before) if act is settle else act()  # type: ignore[operator, call-arg]
    assert_only(corpus, "b" * 32)


def test_an_overwrite_that_was_cut_short_is_finished_by_the_same_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held_after(attempt_at(begin(str(tmp_path), "cetr"), "a" * 32), STEPS)
    monkeypatch.setattr("cedar.transforms.corpus.identity.clear", lambda _: sys.exit("killed"))
    with pytest.raises(SystemExit):
        begin(str(tmp_path), "bte", overwrite=True)
    monkeypatch.undo()
    corpus = begin(str(tmp_path), "bte")
    with pytest.raises(CorpusError, match="not finished"):
        refuse_unsettled(corpus, "corpus")
    settled = settle(corpus)
    assert (settled.summaries, settled.others) == ((), (SHARD.name,))
    assert not list((tmp_path / "pages").iterdir())
    assert not list((tmp_path / "shards").iterdir())


# Whole commands

FILES, PAGES = 3, 4


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    for number in range(FILES):
        write_warc(tmp_path / "in" / f"{number}.warc.gz", PAGES, first=100 * number)
    return tmp_path / "in"


def extract(crawl: Path, output: str, *more: str) -> list[str]:
    return ["extract", str(crawl), "--output", output, *more]


def quietly(command: list[str]) -> int:
    return main([*command, "--workers", "1", "--quiet"])


def extractors(tables: Iterator[Any]) -> list[str]:
    return [name for table in tables for name in table.column("extractor").to_pylist()]


def on_disk(corpus: Path) -> list[str]:
    return extractors(map(pq.read_table, sorted((corpus / "pages").iterdir())))


def in_store(server: ObjectServer) -> list[str]:
    names = [name for name in server.names if "/pages/" in name]
    return extractors(pq.read_table(io.BytesIO((server.get(name) or (0, "", b""))[2])) for name in names)


@pytest.mark.slow
def test_on_a_disk_overwrite_is_refused_while_a_run_is_at_work(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "corpus"
    command = extract(crawl, str(corpus), "--extractor", "cetr")
    with held_run(*command) as (run, go):
        assert quietly([*extract(crawl, str(corpus), "--extractor", "bte"), "--overwrite"]) == 1
        assert "another run is at work on this corpus" in capsys.readouterr().err
        go.touch()
        assert run.wait(60) == 0
    assert on_disk(corpus) == ["cetr"] * (FILES * PAGES)
    assert not (corpus / "_lock").exists()


@pytest.mark.slow
def test_on_a_disk_overwrite_is_free_once_a_run_was_killed(crawl: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    with held_run(*extract(crawl, str(corpus), "--extractor", "cetr")) as (run, _):
        kill(run)
        assert quietly([*extract(crawl, str(corpus), "--extractor", "bte"), "--overwrite"]) == 0
    assert on_disk(corpus) == ["bte"] * (FILES * PAGES)


@pytest.mark.slow
def test_on_a_disk_runs_with_the_same_options_work_side_by_side(crawl: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    command = extract(crawl, str(corpus), "--extractor", "cetr")
    with held_run(*command) as (run, go):
        assert quietly(command) == 0
        go.touch()
        assert run.wait(60) == 0
    assert on_disk(corpus) == ["cetr"] * (FILES * PAGES)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["extract", "watch"])
def test_in_a_store_the_run_that_was_overtaken_ends_with_1_and_one_line(
    how: str, crawl: Path, tmp_path: Path
) -> None:
    output = "s3://bucket/corpus"
    more = ["--watch", "0.2"] if how == "watch" else []
    with (
        object_server() as server,
        held_run(*extract(crawl, output, "--extractor", "cetr", *more), forked=False) as (run, go),
    ):
        assert quietly([*extract(crawl, output, "--extractor", "bte"), "--overwrite"]) == 0
        assert in_store(server) == ["bte"] * (FILES * PAGES)
        go.touch()
        _, errors = run.communicate(timeout=60)
        assert run.returncode == 1
        assert errors.count("\n") == 1
        assert "--overwrite" in errors
        assert in_store(server) == ["bte"] * (FILES * PAGES)
        assert quietly(extract(crawl, output, "--extractor", "bte")) == 0
        assert in_store(server) == ["bte"] * (FILES * PAGES)
        assert not [name for name in server.names if "/_tmp/" in name]


@pytest.mark.slow
def test_an_output_that_is_deleted_meanwhile_is_one_line_and_the_command_works_again(
    crawl: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    command = extract(crawl, str(corpus), "--extractor", "cetr")
    with held_run(*command) as (run, go):
        corpus.rename(tmp_path / "elsewhere")
        go.touch()
        _, errors = run.communicate(timeout=60)
    assert run.returncode == 1
    assert errors.count("\n") == 1
    assert "deleted or moved" in errors
    assert quietly(command) == 0
    assert on_disk(corpus) == ["cetr"] * (FILES * PAGES)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["deleted", "overwritten"])
def test_a_corpus_that_goes_while_it_is_filtered_is_one_line(how: str, crawl: Path, tmp_path: Path) -> None:
    corpus, target = tmp_path / "corpus", tmp_path / "filtered"
    assert quietly(extract(crawl, str(corpus), "--extractor", "cetr")) == 0
    command = ["filter", str(corpus), "--keep", "words > 0", "--output", str(target)]
    with held_run(*command) as (run, go):
        if how == "deleted":
            corpus.rename(tmp_path / "elsewhere")
        else:
            assert quietly([*extract(crawl, str(corpus), "--extractor", "bte"), "--overwrite"]) == 0
        go.touch()
        _, errors = run.communicate(timeout=60)
    assert run.returncode == 1
    assert errors.count("\n") == 1
    assert str(corpus) in errors
    if how == "overwritten":
        assert quietly([*command, "--overwrite"]) == 0
        assert on_disk(target) == ["bte"] * (FILES * PAGES)


@pytest.mark.slow
def test_filter_does_not_overwrite_beside_a_run(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, target = tmp_path / "corpus", tmp_path / "filtered"
    assert quietly(extract(crawl, str(corpus), "--extractor", "cetr")) == 0
    command = ["filter", str(corpus), "--keep", "words > 0", "--output", str(target)]
    with held_run(*command) as (run, go):
        other = ["filter", str(corpus), "--keep", "words > 1", "--output", str(target), "--overwrite"]
        assert quietly(other) == 1
        assert "another run is at work" in capsys.readouterr().err
        go.touch()
        assert run.wait(60) == 0
    assert quietly(other) == 0
