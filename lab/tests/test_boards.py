"""The measures of public boards, by numbers worked out by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from lab import boards

BODY = " ".join(f"Sentence {number} of the article says what happened on that day." for number in range(30))
PAGE = (
    "<title>The headline</title><nav><a href=/>Home</a></nav><article><h1>The headline</h1>"
    f"<p>{BODY}</article>"
)


def test_runs_of_four_words_are_counted() -> None:
    assert boards.shingles("A b, c d; e") == {("A", "b", "c", "d"): 1, ("b", "c", "d", "e"): 1}
    assert boards.shingles("x x x x x") == {("x", "x", "x", "x"): 2}
    assert boards.shingles("a b") == {("a", "b"): 1}
    assert not boards.shingles("")


def test_bodies_agree_by_means_over_pages() -> None:
    # Half of the runs of the first page; the second one is exact; nothing was found on the third.
    found = boards.body_agreement([("a b c d e", "a b c d x"), ("a b", "a b"), ("a b c d", "")])
    assert (found.precision, found.recall) == pytest.approx(((1 / 2 + 1) / 2, (1 / 2 + 1 + 0) / 3))
    assert found.f1 == pytest.approx(2 * 0.75 * 0.5 / 1.25)
    assert found.exact == pytest.approx(1 / 3)
    # A page without a known text counts for precision alone.
    assert boards.body_agreement([("", "a b"), ("a b", "a b")]).precision == 0.5
    assert boards.body_agreement([("", "a b"), ("a b", "a b")]).recall == 1


def test_snippets_are_counted_over_all_pages() -> None:
    found = boards.snippet_agreement(
        [
            (["The bridge is closed", "until October"], ["Sign in"], "The  bridge is\nclosed. Sign in"),
            (["x"], ["y", "z"], "x"),
            (["x"], ["y"], ""),
        ]
    )
    assert (found.precision, found.recall) == (2 / 3, 2 / 4)
    assert found.f1 == pytest.approx(4 / 7)
    assert found.exact is None


def test_copies_of_boards_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "a.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    (tmp_path / "ground-truth.json").write_text(json.dumps({"a": {"articleBody": BODY, "url": "http://x/"}}))
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "a.html").write_text(PAGE)
    page = {"file": "a.html", "with": ["Sentence 3 of", "headline"], "without": ["Home"]}
    (tmp_path / "evaldata.json").write_text(json.dumps({"http://x/": page}))
    assert boards.main([str(tmp_path)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "article bodies"
    assert " ".join(printed[1].split()) == "cedar 1.0000 here: P 1.000, R 1.000, exact 1.000"
    assert [line for line in printed if "cedar" in line][1].split()[:2] == ["cedar", "1.0000"]
    assert len(printed) == 2 + 1 + 5 + 1 + 4


def test_other_directories_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert boards.main([]) == boards.main([str(tmp_path)]) == 2
    assert "has neither ground-truth.json nor evaldata.json" in capsys.readouterr().out
