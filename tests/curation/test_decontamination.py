"""Passages of benchmarks in pages: planted ones are found, and nothing else."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.warcwriter import WARCWriter

from cedar.pipelines.cli import main
from cedar.transforms.curation.decontamination import (
    BenchmarkFile,
    Decontaminator,
    benchmark_file,
    gather_benchmarks,
    runs_of,
)
from cedar.transforms.curation.rules import rule_of
from tests.helpers.corpus import rows
from tests.helpers.crawl import respond
from tests.oracles import signals as oracle

_WORDS = [f"word{number}" for number in range(4000)]


def words(seed: int, number: int) -> list[str]:
    return random.Random(seed).choices(_WORDS, k=number)


@given(
    st.lists(st.sampled_from(["a", "B", "c", "潮", "汐", "ü"]), max_size=30),
    st.lists(st.sampled_from(["A", "b", "c", "潮", "Ü"]), max_size=12),
    st.integers(1, 5),
)
def test_runs_are_the_words_in_lower_case(page: list[str], passage: list[str], size: int) -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        tokens = [token.lower() for token in oracle.tokens(text)]
        return {tuple(tokens[at : at + size]) for at in range(len(tokens) - size + 1)}

    text, other = " ".join(page), "; ".join(passage)
    common = set(runs_of(text, size).tolist()) & set(runs_of(other, size).tolist())
    assert len(common) == len(runs(text) & runs(other))
    assert len(runs_of(text, size)) == max(0, len(oracle.tokens(text)) - size + 1)


def test_the_first_passage_in_common_is_told_with_file_line_and_words(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("too short\n\n" + " ".join(words(1, 20)) + "\n")
    (tmp_path / "b.jsonl").write_text(
        json.dumps({"id": 7, "question": "Who?", "answer": ", ".join(words(2, 30)).upper()}) + "\n"
    )
    files = [benchmark_file(str(tmp_path / "a.txt")), benchmark_file(f"{tmp_path}/b.jsonl:question,answer")]
    benchmarks = gather_benchmarks(files, 13, tmp_path)
    assert benchmarks.short == 2
    decontaminator = Decontaminator(benchmarks)
    planted = words(2, 30)[5:18]
    parts = (words(3, 40), planted[:6], planted[6:], words(4, 9))
    text = "!\n\n".join(" ".join(part) for part in parts)
    failure = decontaminator.find(text)
    assert failure is not None
    assert (
        failure.reason == f"decontaminate: b.jsonl, line 1: {' '.join(planted[:6])}! {' '.join(planted[6:])}"
    )
    assert failure.rule == rule_of(failure.reason) == "decontaminate: b.jsonl"
    assert decontaminator.find(" ".join([*words(3, 40), *planted[:12]])) is None
    assert decontaminator.find("") is None
    found = decontaminator.find("X " + " ".join(words(1, 20)))
    assert found is not None
    assert found.reason.startswith("decontaminate: a.txt, line 3: ")


def crawl_of(path: Path, texts: list[str]) -> Path:
    with path.open("wb") as file:
        writer = WARCWriter(file)
        for number, text in enumerate(texts):
            body = f"<html><body><p>{text}</p></body></html>".encode()
            respond(writer, f"https://pages.example/{number}", "200 OK", body)
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Forty pages; every fourth has a passage of the benchmark of ten passages, and all have a licence."""
    passages = [" ".join(words(100 + number, 25)) for number in range(10)]
    licence = " ".join(words(99, 15))
    (tmp_path / "bench.txt").write_text("\n".join([*passages, licence]))
    texts = [
        f"{' '.join(words(number, 60))} {passages[number // 4] if number % 4 == 0 else ''} {licence}"
        for number in range(40)
    ]
    crawl = crawl_of(tmp_path / "a.warc.gz", texts)
    command = ["extract", str(crawl), "--output", str(tmp_path / "corpus"), "--extractor", "cetr", "--quiet"]
    assert main(command) == 0
    return tmp_path / "corpus"


def test_pages_with_passages_are_dropped_and_common_runs_do_not_count(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["filter", str(corpus), "--decontaminate", str(tmp_path / "bench.txt")]
    assert main([*command, "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kept"] == 0
    command += ["--decontaminate-common", "5"]
    assert main([*command, "--output", str(tmp_path / "clean"), "--quiet"]) == 0
    dropped = rows(tmp_path / "clean", "dropped")
    assert sorted(int(row["url"].rpartition("/")[2]) for row in dropped) == list(range(0, 40, 4))
    assert len(rows(tmp_path / "clean")) == 30
    for row in dropped:
        line = int(row["url"].rpartition("/")[2]) // 4 + 1
        assert row["drop_reason"].startswith(f"decontaminate: bench.txt, line {line}: ")
    assert main([*command, "--output", str(tmp_path / "marked"), "--dropped", "mark", "--quiet"]) == 0
    assert sum(row["drop_reason"] is not None for row in rows(tmp_path / "marked")) == 10
    # Another benchmark is another corpus.
    (tmp_path / "bench.txt").write_text(" ".join(words(5, 30)))
    assert main([*command, "--output", str(tmp_path / "clean"), "--quiet"]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--decontaminate", "b.jsonl"], "b.jsonl:question,answer"),
        (["--decontaminate", "a.txt:text"], "leave out the fields text"),
        (["--decontaminate", "b.jsonl:text"], "b.jsonl, line 1, has no text in text: it has question"),
        (["--decontaminate", "b.jsonl:question,choices"], "b.jsonl: no line has text in choices"),
        (["--decontaminate", "wide.txt"], "cannot read the benchmark wide.txt: it is UTF-16"),
        (["--decontaminate", "missing.txt"], "cannot read the benchmark missing.txt"),
        (["--decontaminate", "a.txt"], "smaller --decontaminate-words"),
        (["--decontaminate-words", "8", "--keep", "words > 1"], "give it, too"),
    ],
)
def test_what_cannot_be_looked_for_is_refused(
    arguments: list[str],
    said: str,
    corpus: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(corpus.parent)
    Path("a.txt").write_text("too short\n")
    Path("wide.txt").write_text("too wide\n", encoding="utf-16")
    Path("b.jsonl").write_text('{"question": "Who?"}\n')
    assert main(["filter", str(corpus), "--output", "out", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert not Path("out").exists()


def test_a_field_may_be_a_list_of_texts(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    path.write_text('{"question": "Who?", "choices": ["one or two", "three or four"]}\n')
    passages = list(benchmark_file(f"{path}:question,choices").passages())
    assert passages == [(1, "Who?"), (1, "one or two"), (1, "three or four")]


def test_a_file_that_is_called_as_fields_are_written_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odd:name").write_text("x")
    assert benchmark_file("odd:name") == BenchmarkFile("odd:name")
