"""Count phrases that a reader has to read twice, in the product and the documentation.

More places of a pattern than its `most` fail. `--show NAME` prints them with what to write instead.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Pattern:
    """A phrase, what to write instead, and in how many places it may stay."""

    name: str
    regex: str
    instead: str
    most: int


PATTERNS = (
    Pattern("is none", r"\b(?:is|are) none\b", "is absent, is missing; None; 'at least one'", 17),
    Pattern(
        "is no X",
        r"(?<![Tt]here )\b(?:is|are) no (?!longer\b|more\b|larger\b|shorter\b)\w+",
        "is not a X; has no X; without X",
        0,
    ),
    Pattern("beside", r"\bbeside\b", "next to, besides, as well as, alongside", 0),
    Pattern("goes on", r"\b(?:goes|go|going|went) on\b", "continues, resumes", 0),
    Pattern("anew", r"\b(?:anew|afresh)\b", "again, from scratch", 0),
    Pattern("behind", r"\bbehind\b", "after; below", 29),
    Pattern("so many", r"\bso many\b", "at most N; this many; the number of", 5),
    Pattern("where there is none", r"\bwhere there (?:is|are) (?:none|no)\b", "without; if absent", 1),
    Pattern("whoever", r"\b(?:whoever|nobody)\b", "the caller, the user; no one", 0),
    Pattern("to be had", r"\b(?:to|can|cannot|could|not) be had\b", "available, found, reachable", 0),
    Pattern("of those of", r"\bof those of\b", "name the thing", 2),
    Pattern("with room", r"\bwith room\b", "name the size", 1),
)


@dataclass(frozen=True)
class Place:
    """A line in which a pattern stands."""

    file: str
    line: int
    text: str


def texts() -> Iterator[tuple[str, list[str]]]:
    """The files that are looked at, and their lines."""
    product = [p for folder in ("cedar", "pipelines", "transforms") for p in (ROOT / folder).rglob("*")]
    for path in sorted([*product, *(ROOT / "docs").glob("**/*.md")]):
        if path.suffix in (".py", ".pyx", ".pyi", ".pxd", ".md") and "__pycache__" not in path.parts:
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8").splitlines()


def places(pattern: Pattern) -> list[Place]:
    """Where a pattern stands, a place a match."""
    regex = re.compile(pattern.regex, 0 if pattern.name == "is none" else re.IGNORECASE)
    return [
        Place(file, number, line.strip())
        for file, lines in texts()
        for number, line in enumerate(lines, 1)
        for _ in regex.finditer(line)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", metavar="NAME", help="print the places of one pattern, or all")
    shown = parser.parse_args().show
    total, wrong = 0, 0
    for pattern in PATTERNS:
        found = places(pattern)
        total += len(found)
        if shown in (pattern.name, "all"):
            for place in found:
                print(f"{place.file}:{place.line}: {place.text}  [{pattern.name}: {pattern.instead}]")
        if len(found) > pattern.most:
            print(f"{pattern.name!r}: {len(found)} places, {pattern.most} allowed; write {pattern.instead}")
            wrong += 1
    print(f"{total} places of {len(PATTERNS)} patterns")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
