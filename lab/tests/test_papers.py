"""The tables of what papers print next to what is reached here, on sets that are made up."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
import zstandard

from lab import papers
from lab.papers import CLEANEVAL, L3S, RUNS, WCXB, Score

BODY = " ".join(f"Sentence {number} of the article says what happened on that day." for number in range(30))


def gold(folder: Path, pages: int = 2) -> Path:
    """A directory of three sets, the pages of which are their gold in one paragraph."""
    html = f"<style>p {{}}</style>\n<p>{BODY}</p>\n"
    line = {"text": BODY, "html_b64": base64.b64encode(html.encode()).decode()}
    for name in (CLEANEVAL, L3S, WCXB):
        lines = (json.dumps(line | {"id": str(number)}) for number in range(pages))
        (folder / f"{name}.jsonl.zst").write_bytes(zstandard.compress("\n".join(lines).encode()))
    return folder


def score(f1: float, bounds: int = 0) -> Score:
    return Score(f1 - 0.1, f1 + 0.1, f1, f1 + 0.01, bounds, saved=0.916, saved_packed=0.838)


@pytest.mark.slow
def test_a_run_is_printed_in_the_rows_that_it_is_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert papers.main([str(gold(tmp_path)), "--only", "words", "--limit", "1"]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("| paper | what | printed | here |")
    assert len(rows) == len(papers.CLAIMS)
    (densities,) = (row for row in rows if "CETD-DS, CleanEval English" in row)
    assert "| 92.96 / 94.52 / 93.73 | CleanEval 100.0 / 100.0 / 100.0 (100.0) |" in densities
    (threshold,) = (row for row in rows if "LCS (recall), threshold" in row)
    assert "| 94.19 | L3S-GN1 ?, CleanEval ? |" in threshold


def test_figures_stand_as_the_papers_write_them() -> None:
    measured = {("words", CLEANEVAL, "cetr"): score(0.8994), ("words", L3S, "cetr"): score(0.8166)}
    measured |= {
        ("characters", L3S, "ttr-t"): score(0.864),
        ("characters", CLEANEVAL, "ttr-ff"): score(0.8777),
    }
    table = papers.claims(measured)
    assert "| 86.59 to 98.93 | CleanEval 89.9, L3S-GN1 81.7 |" in table
    assert "| .919 | CleanEval 0.899 (0.909) |" in table
    assert "| 94.19 | L3S-GN1 96.4, CleanEval ? |" in table
    assert "| 62.53 (median 77.03) | L3S-GN1 ?, CleanEval 77.8 |" in table
    assert "| 95 % / 88 % | L3S-GN1 92 % / 84 % |" in table
    assert "| no figures in the text that we have | below |" in table


def test_the_table_of_vips_says_which_figures_are_lower_bounds() -> None:
    sets = RUNS["vips"].sets
    rows = {"cetr": [score(0.9)] * 3, "vips-oracle": [score(0.98, n) for n in (140, 0, 149)]}
    measured = {
        ("vips", name, each): s for each, row in rows.items() for name, s in zip(sets, row, strict=True)
    }
    assert papers.vips(measured).splitlines() == [
        "| | CleanEval | L3S-GN1 | WCXB |",
        "|---|---:|---:|---:|",
        "| `cetr` | 0.900 | 0.900 | 0.900 |",
        "| `vips-oracle` (PDoC 10, the best of all), chosen by the gold | 0.980 | 0.980 | 0.980 |",
        "",
        "Not all choices were tried, so that the figure is a lower bound: `vips-oracle` on 140, 0 and 149 of "
        "the pages.",
    ]
    assert papers.vips({}) == ""


def test_the_document_has_the_rows_that_are_printed_and_its_tables_are_filled(tmp_path: Path) -> None:
    document = papers.PAGE.read_text(encoding="utf-8")
    shown = [line.split("|") for line in document.splitlines()]
    rows = {
        (row[1].strip(), row[2].strip(), row[3].strip(), row[5].strip()) for row in shown if len(row) == 7
    }
    assert {(c.paper, c.what, c.printed, c.why) for c in papers.CLAIMS} <= rows
    copy = tmp_path / "RESULTS.md"
    copy.write_text(document, encoding="utf-8")
    measured = {("vips", name, "crunch"): score(0.7) for name in RUNS["vips"].sets}
    for _ in range(2):  # a second time changes nothing
        papers.fill(copy, measured)
    text = copy.read_text(encoding="utf-8")
    assert text.count("| `crunch` | 0.700 | 0.700 | 0.700 |\n") == 1
    assert text.count("| TTR 2008 |") == 3
    copy.write_text("no tables", encoding="utf-8")
    with pytest.raises(ValueError, match="has no <!-- papers -->"):
        papers.fill(copy, measured)


def test_what_cannot_be_measured_is_refused_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, message in (
        (["--only", "pictures"], "unknown run 'pictures'; there are: words, characters, vips"),
        (["--write", "--limit", "5"], "--write takes all runs over all of their pages"),
    ):
        with pytest.raises(SystemExit, match="2"):
            papers.main([str(tmp_path), *arguments])
        assert message in capsys.readouterr().err
    assert papers.main([str(tmp_path), "--only", "words"]) == 1
    assert f"{CLEANEVAL}.jsonl" in capsys.readouterr().err
