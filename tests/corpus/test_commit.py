"""The commit of a shard: one attempt wins, in whatever order steps happen and wherever they are cut."""

from __future__ import annotations

import io
import re
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from cedar.transforms.corpus.commit import commit, commit_steps, publish, revoke
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.errors import LostFilesError
from cedar.transforms.corpus.formats import OutputFormat, open_writer
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.settle import Inventory
from cedar.transforms.corpus.settle import tidy as tidy_inventory
from cedar.transforms.model.columns import columns_of
from cedar.transforms.model.costs import Cost
from cedar.transforms.model.records import RejectRow, Shard
from cedar.transforms.model.summaries import FileSummary, ShardSummary
from tests.helpers.elements import reject_row

SHARD = Shard(
    "crawl-2.0-0a1b2c3d-000000000000-000000000100", "/data/crawl-2.0.warc.gz", 100, "mtime:7", 0, 100
)


def tidy(corpus: Corpus) -> tuple[str, ...]:
    """Look through a corpus and clear up."""
    return tidy_inventory(Inventory.of(Ledger(corpus)))


def rows_file(attempt: str, detail: str) -> bytes:
    file = io.BytesIO()
    file.close = lambda: None  # type: ignore[method-assign]
    writer = open_writer(file, "Reject", columns_of(RejectRow), output=OutputFormat(), attempt=attempt)
    writer.write([reject_row(detail=detail)])
    writer.close()
    return file.getvalue()


FILES = {attempt: rows_file(attempt, f"written by {attempt}") for attempt in ("a" * 32, "b" * 32)}
A, B = FILES


def stage(corpus: Corpus, attempt: str) -> ShardSummary:
    """What an attempt has done when it comes to its commit: files staged, summary ready."""
    files = {}
    for kind in ("pages", "rejects"):
        path = Path(corpus.staged_path(kind, SHARD.name, attempt))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(FILES[attempt])
        files[kind] = FileSummary(1, len(FILES[attempt]), "parquet")
    return ShardSummary(
        SHARD, 0, 100, 2, 1, {"no_url": 1}, {"in": 100, "html": 50, "text": 5}, {"read": Cost(0.5, 0.25)},
        "2026-01-31T12:00:00+00:00", attempt, files, "d" * 32,
    )  # fmt: skip


def assert_one_committed(corpus: Corpus) -> str:
    """One summary, its files in place with its attempt's id, nothing else left behind."""
    (summary,) = Ledger.of(corpus).summaries()
    assert summary.books.balanced
    root = Path(corpus.root)
    names = {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()}
    assert names == {f"shards/{SHARD.name}.json", *summary.file_names}
    for name, file in summary.file_names.items():
        assert (root / name).stat().st_size == file.bytes
        assert (root / name).read_bytes() == FILES[summary.attempt]
    return summary.attempt


def run_interleaved(
    attempts: list[Generator[str, None, ShardSummary]], prefix: tuple[int, ...]
) -> tuple[list[ShardSummary], list[tuple[int, bool]]]:
    """Run steps in the order of `prefix`, then the first attempt's before the second's.

    Returns the summaries that the attempts ended with, and each choice with whether there was one.
    """
    results: list[ShardSummary] = []
    alive = [0, 1]
    trace: list[tuple[int, bool]] = []
    while alive:
        chosen = prefix[len(trace)] if len(trace) < len(prefix) else alive[0]
        trace.append((chosen, len(alive) == 2))
        try:
            next(attempts[chosen])
        except StopIteration as end:
            results.append(end.value)
            alive.remove(chosen)
    return results, trace


@pytest.mark.slow
def test_two_attempts_in_every_interleaving_commit_once(tmp_path: Path) -> None:
    winners = {A: 0, B: 0}
    to_try: list[tuple[int, ...]] = [()]
    while to_try:
        prefix = to_try.pop()
        corpus = Corpus(str(tmp_path / str(sum(winners.values()))), "parquet")
        attempts = [commit_steps(corpus, stage(corpus, attempt)) for attempt in (A, B)]
        for attempt in attempts:
            assert next(attempt) == "summary staged"
        results, trace = run_interleaved(attempts, prefix)
        assert results[0] == results[1]
        assert assert_one_committed(corpus) == results[0].attempt
        assert tidy(corpus) == ()
        winners[results[0].attempt] += 1
        to_try.extend(
            (*(chosen for chosen, _ in trace[:at]), 1)
            for at in range(len(prefix), len(trace))
            if trace[at] == (0, True)
        )
    # The winner has four steps and an end, the loser seven and an end: C(13, 5) orders, less those in which
    # the loser is first.
    assert winners[A] == winners[B] > 100


def test_both_attempts_can_win(tmp_path: Path) -> None:
    for winner, loser in ((A, B), (B, A)):
        corpus = Corpus(str(tmp_path / winner), "parquet")
        summaries = {attempt: stage(corpus, attempt) for attempt in (A, B)}
        assert commit(corpus, summaries[winner]).attempt == winner
        assert commit(corpus, summaries[loser]).attempt == winner
        assert assert_one_committed(corpus) == winner


def steps_of(corpus: Corpus) -> int:
    return len(list(commit_steps(corpus, stage(corpus, A))))


def test_killed_after_any_step_and_started_again_ends_as_if_undisturbed(tmp_path: Path) -> None:
    total = steps_of(Corpus(str(tmp_path / "count"), "parquet"))
    assert total == 5
    for killed_after in range(total + 1):
        corpus = Corpus(str(tmp_path / str(killed_after)), "parquet")
        steps = commit_steps(corpus, stage(corpus, A))
        for _ in range(killed_after):
            next(steps)
        steps.close()
        done = corpus.commit_of(SHARD.name)
        if done is None:
            commit(corpus, stage(corpus, B))
        else:
            publish(corpus, done)
        tidy(corpus)
        assert assert_one_committed(corpus) == (B if done is None else A)


def test_zombie_that_wakes_after_the_move_was_rolled_forward_changes_nothing(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    zombie = commit_steps(corpus, stage(corpus, A))
    assert [next(zombie) for _ in range(3)][-1] == "committed"
    committed = corpus.commit_of(SHARD.name)
    assert committed is not None
    publish(corpus, committed)
    tidy(corpus)
    assert list(zombie) == ["pages in place", "rejects in place"]
    assert assert_one_committed(corpus) == A


def test_a_file_of_another_attempt_is_no_file_of_the_commit(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    summary = commit(corpus, stage(corpus, A))
    (tmp_path / corpus.file_name("pages", SHARD.name)).write_bytes(FILES[B])
    with pytest.raises(LostFilesError, match="pages"):
        publish(corpus, summary)


def test_lost_files_are_noticed(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    summary = commit(corpus, stage(corpus, A))
    (tmp_path / corpus.file_name("rejects", SHARD.name)).unlink()
    with pytest.raises(LostFilesError, match="rejects"):
        publish(corpus, summary)


def test_tidy_deletes_and_names_output_without_a_commit_but_keeps_attempts_at_work(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    commit(corpus, stage(corpus, A))
    orphan = tmp_path / "pages" / "other-00000000-000000000000-000000000009.parquet"
    orphan.write_bytes(b"x")
    at_work = Path(corpus.staged_path("pages", "third-00000000-000000000000-000000000009", B))
    at_work.write_bytes(b"x")
    loser = Path(corpus.staged_path("pages", SHARD.name, B))
    loser.write_bytes(b"x")
    assert tidy(corpus) == (f"pages/{orphan.name}",)
    assert not orphan.exists()
    assert not loser.exists()
    assert at_work.exists()


def test_a_rejects_file_that_the_commit_does_not_name_is_an_orphan(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    summary = stage(corpus, A)
    commit(corpus, replace(summary, files={"pages": summary.files["pages"]}))
    rejects = tmp_path / corpus.file_name("rejects", SHARD.name)
    rejects.parent.mkdir()
    rejects.write_bytes(b"x")
    assert tidy(corpus) == (corpus.file_name("rejects", SHARD.name),)


def test_revoke_undoes_the_commit_and_its_files(tmp_path: Path) -> None:
    corpus = Corpus(str(tmp_path), "parquet")
    commit(corpus, stage(corpus, A))
    revoke(corpus, SHARD.name)
    assert corpus.commit_of(SHARD.name) is None
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]


def test_summary_round_trips_through_json(tmp_path: Path) -> None:
    summary = stage(Corpus(str(tmp_path), "parquet"), A)
    assert ShardSummary.from_json(summary.to_json()) == summary
    of_a_table = replace(summary, table="2", version="9.9")
    assert ShardSummary.from_json(of_a_table.to_json()) == of_a_table
    with pytest.raises(ValueError, match="not a shard summary"):
        ShardSummary.from_json("[]")
    with pytest.raises(ValueError, match="schema 99"):
        ShardSummary.from_json(re.sub('"schema": [0-9]+', '"schema": 99', summary.to_json()))
