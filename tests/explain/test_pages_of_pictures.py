"""What docs/ says of `cedar explain` and `cedar report` is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.sample.archive import write_sample
from tests.helpers.documents import README, ROOT, page

BROWSE, EVALUATION, EXPLAIN, REPORT = (page(name) for name in ("browse", "evaluation", "explain", "report"))


def shown(section: str) -> list[str]:
    """The lines of the section's last example."""
    block: str = re.findall(r"```\n(.*?)```", section, re.DOTALL)[-1]
    return block.splitlines()


def test_explain_prints_what_the_readme_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "explain",
                str(ROOT / "pipelines" / "sample" / "pages" / "article.html"),
                "--extractor",
                "cetr",
                "--text",
            ]
        )
        == 0
    )
    printed = capsys.readouterr().out.splitlines()
    for line in shown(EXPLAIN):
        assert line in printed


def test_report_prints_what_the_readme_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "sample.warc.gz").open("wb") as file:
        write_sample(file)
    corpus = str(tmp_path / "corpus")
    assert main(["extract", str(tmp_path / "sample.warc.gz"), "--output", corpus, "--quiet"]) == 0
    assert main(["report", corpus, "--text"]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    for line in shown(REPORT):
        assert line in printed


def test_pictures_of_the_pages_are_there_and_small() -> None:
    pictures = re.findall(r"\]\((?:docs/)?([a-z]+\.png)\)", README + EVALUATION + EXPLAIN + REPORT + BROWSE)
    assert sorted(set(pictures)) == ["browse.png", "evaluate.png", "explain.png", "report.png"]
    assert all((ROOT / "docs" / name).stat().st_size < 150_000 for name in pictures)
