"""docs/duplicates.md says what is so: its tables are the code's, its examples run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cedar.pipelines.commands import command_parser
from tests.dedup.corpora import Made, edited, words, write_corpus
from tests.dedup.results import dedup
from tests.oracles.signatures import candidate_probability

MANUAL = (Path(__file__).parents[2] / "docs" / "duplicates.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", MANUAL, re.DOTALL)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which the manual's commands have been run."""
    directory = tmp_path_factory.mktemp("manual")
    pages = [Made(" ".join(words(seed, 50)), f"https://{seed}.example/") for seed in range(3)]
    near = Made(" ".join(edited(words(1, 50), 1, 1)), "https://near.example/")
    write_corpus(directory / "january", [[*pages, near]])
    write_corpus(directory / "february", [[Made(pages[2].text, "https://copy.example/")]])
    corpora = (directory / "january", directory / "february")
    assert dedup(*corpora, "--output", directory / "unique") == 0
    return directory


def test_the_curve_is_that_of_the_code() -> None:
    (similarities, found) = (
        [float(cell) for cell in line.split("|")[2:-1]]
        for line in re.findall(r"^  (\| (?:s|found) \|.*)$", MANUAL, re.MULTILINE)
    )
    assert found == [pytest.approx(candidate_probability(s), abs=6e-4) for s in similarities]


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ("duckdb", "3\n"),
        (
            "pandas",
            "                  url kind           kept_url\n"
            "https://copy.example/ text https://2.example/\n"
            "https://near.example/ near https://1.example/\n",
        ),
    ],
)
def test_examples_run_and_print_what_they_should(mark: str, expected: str, demo: Path) -> None:
    (example,) = (text for text in EXAMPLES if f"import {mark}" in text)
    run = subprocess.run(
        [sys.executable, "-c", example], cwd=demo, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == expected


def test_spark_keeps_the_pages_that_are_kept(demo: Path) -> None:
    python = os.environ.get("CEDAR_SPARK")
    if not python:
        pytest.skip("CEDAR_SPARK names no Python that has pyspark (nox -s loaders)")
    (example,) = (text for text in EXAMPLES if "pyspark" in text)
    run = subprocess.run([python, "-c", example], cwd=demo, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "3 of 5\n"


def test_commands_of_the_manual_are_taken() -> None:
    parser = command_parser("dedup")
    commands = re.findall(r"^cedar dedup (.*)$", MANUAL, re.MULTILINE)
    assert commands
    for command in commands:
        parser.parse_args(command.split())
