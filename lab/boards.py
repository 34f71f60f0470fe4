"""`python -m lab.boards`: Cedar on two public boards, by the measures of each.

    python -m lab.boards DIRECTORY...

A directory is a copy of a board as its authors publish it; it is told by its file of known texts:

- Zyte's article benchmark (github.com/scrapinghub/article-extraction-benchmark): `ground-truth.json` and
  `html/ID.html.gz`. Runs of four words in common, of bodies alone.
- trafilatura's evaluation (github.com/adbar/trafilatura, `tests/`): `evaldata.json` and pages in `cache/` or
  `eval/`. Snippets that must and must not be in the text; comments are left out.

Nothing in Cedar is chosen by these pages.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from cedar import extract

_SHINGLE = 4


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a board.

    Attributes:
        name: what was measured.
        f1: what it reached.
        source: who measured it.
    """

    name: str
    f1: float
    source: str


_OWN = "its authors, as read in November 2026"
_MEASURED = "measured with the board's scorer in 2026"

PUBLISHED = {
    "article bodies": (
        Row("rs-trafilatura", 0.970, _OWN),
        Row("AutoExtract (a service)", 0.970, _OWN),
        Row("go-trafilatura", 0.960, _OWN),
        Row("trafilatura", 0.958, _OWN),
        Row("Dripper (0.6 B parameters)", 0.946, _MEASURED),
    ),
    "snippets": (
        Row("Dripper (0.6 B parameters)", 0.9335, _MEASURED),
        Row("trafilatura", 0.9257, _MEASURED),
        Row("trafilatura, fast", 0.9200, _MEASURED),
        Row("resiliparse", 0.810, _MEASURED),
    ),
}
"""What others reach, by board."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Precision, recall and F1 of a board, and the share of pages that agree wholly, if the board has it."""

    precision: float
    recall: float
    exact: float | None = None

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def shingles(text: str) -> Counter[tuple[str, ...]]:
    """Count the runs of four words; a shorter text is one run."""
    words = re.findall(r"\w+", text)
    runs = (tuple(words[i : i + _SHINGLE]) for i in range(max(1, len(words) - _SHINGLE + 1)))
    return Counter(run for run in runs if run)


def body_agreement(pairs: Iterable[tuple[str, str]]) -> Agreement:
    """Compare bodies with known bodies, as Zyte's benchmark does.

    Precision is the mean over the pages that have an extraction, recall over those with a known text.

    Args:
        pairs: known text and extraction of each page.
    """
    precisions, recalls, exact = [], [], []
    for known, found in pairs:
        wanted, given = shingles(known), shingles(found)
        common = (wanted & given).total()
        exact.append(wanted == given)
        if given:
            precisions.append(common / given.total())
        if wanted:
            recalls.append(common / wanted.total())
    return Agreement(mean(precisions or [0.0]), mean(recalls or [0.0]), mean(exact or [0.0]))


def snippet_agreement(pages: Iterable[tuple[list[str], list[str], str]]) -> Agreement:
    """Look for snippets in texts, as trafilatura's evaluation does: counted over all pages, blanks alike.

    Args:
        pages: what must be in a page's text, what must not, and the text.
    """
    there = wrong = missing = 0
    for wanted, unwanted, text in pages:
        plain = _spaced(text)
        hits = sum(_spaced(snippet) in plain for snippet in wanted)
        there, missing = there + hits, missing + len(wanted) - hits
        wrong += sum(_spaced(snippet) in plain for snippet in unwanted)
    return Agreement(there / max(there + wrong, 1), there / max(there + missing, 1))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def article_bodies(directory: Path) -> Agreement:
    """Measure Cedar on a copy of Zyte's benchmark."""
    known: Mapping[str, Mapping[str, Any]] = json.loads((directory / "ground-truth.json").read_text("utf-8"))
    return body_agreement(
        (
            page.get("articleBody") or "",
            extract(
                gzip.decompress((directory / "html" / f"{name}.html.gz").read_bytes()), body_only=True
            ).text,
        )
        for name, page in known.items()
    )


def snippets(directory: Path) -> Agreement:
    """Measure Cedar on a copy of trafilatura's evaluation."""
    known: Mapping[str, Mapping[str, Any]] = json.loads((directory / "evaldata.json").read_text("utf-8"))
    return snippet_agreement(
        (page["with"], page["without"], extract(_page(directory, page["file"]), comments="drop").text)
        for page in known.values()
    )


def _page(directory: Path, name: str) -> bytes:
    for folder in ("cache", "eval"):
        if (directory / folder / name).is_file():
            return (directory / folder / name).read_bytes()
    raise FileNotFoundError(f"{name} is neither in {directory}/cache nor in {directory}/eval")


BOARDS = {
    "article bodies": ("ground-truth.json", article_bodies),
    "snippets": ("evaldata.json", snippets),
}


def main(directories: list[str]) -> int:
    """Print each board with its published rows; returns the exit code."""
    if not directories:
        print(
            "boards: name directories with ground-truth.json or evaldata.json: python -m lab.boards DIR=..."
        )
        return 2
    for directory in map(Path, directories):
        found = [(name, measure) for name, (file, measure) in BOARDS.items() if (directory / file).is_file()]
        if not found:
            print(f"boards: {directory} has neither ground-truth.json nor evaldata.json")
            return 2
        for name, measure in found:
            print("\n".join(lines(name, measure(directory))))
    return 0


def lines(board: str, reached: Agreement) -> list[str]:
    """Write a board: its rows by F1, Cedar among them."""
    more = "" if reached.exact is None else f", exact {reached.exact:.3f}"
    own = Row("cedar", reached.f1, f"here: P {reached.precision:.3f}, R {reached.recall:.3f}{more}")
    rows = sorted((own, *PUBLISHED[board]), key=lambda row: -row.f1)
    return [board, *(f"  {row.name:28}  {row.f1:.4f}  {row.source}" for row in rows)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
