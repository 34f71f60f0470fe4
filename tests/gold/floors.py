"""The floors of the gold gate: what F1 every extractor has to reach on the pages beside this file.

python -m tests.gold.floors                     measure, and say what has changed
python -m tests.gold.floors --update            raise the floors; refuses to lower one
python -m tests.gold.floors --update --lower X  the same, and take X's floor as it is now
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from cedar.transforms.decode.charset import decode_text
from cedar.transforms.extractors import registry
from cedar.transforms.scoring.gold import GoldPage, GoldSet
from cedar.transforms.scoring.metrics import METRICS, Gold, TextTokens, summarise

SET = Path(__file__).parent / "handmade"
FLOORS = Path(__file__).parent / "floors.json"
METRIC = "lcs"
EPSILON = 0.002
"""How far F1 may fall below its floor: less than a line of a page."""


def pages() -> tuple[GoldPage, ...]:
    """The set."""
    gold_set = GoldSet.at(str(SET))
    return tuple(gold_set.read(range(gold_set.count())))


def measure(name: str, gold: tuple[GoldPage, ...]) -> float:
    """Mean F1 of an extractor with its default options. The pages are our own: no guard is needed."""
    extract = registry.bind(name, "{}")
    found = []
    for page in gold:
        html = decode_text(page.html, header_label=None, truncated=False).utf8
        found.append(
            METRICS[METRIC].function(TextTokens.of(extract(html).text), Gold(TextTokens.of(page.text)))
        )
    return summarise([each for each in found if each is not None]).f1.mean


def read_floors() -> dict[str, float]:
    """Extractor -> floor."""
    floors: dict[str, float] = json.loads(FLOORS.read_text(encoding="utf-8"))
    return floors


def complaint(name: str, f1: float, floors: Mapping[str, float]) -> str | None:
    """What is wrong with an extractor's F1, or None."""
    if name not in floors:
        return f"{name} has no floor (F1 is {f1:.4f}): record it with `python -m tests.gold.floors --update`"
    if f1 < floors[name] - EPSILON:
        return (
            f"F1 of {name} fell from {floors[name]:.4f} to {f1:.4f}: "
            f"if that is meant, `python -m tests.gold.floors --update --lower {name}`"
        )
    return None


def updated(
    floors: Mapping[str, float], measured: Mapping[str, float], lower: frozenset[str]
) -> tuple[dict[str, float], list[str]]:
    """New floors, and the names of extractors whose floor would have to be lowered but may not be.

    Args:
        floors: as they are.
        measured: F1 of every extractor; floors of others are dropped.
        lower: extractors whose floor may fall.
    """
    new, refused = {}, []
    for name, f1 in measured.items():
        old = floors.get(name)
        if old is None or f1 > old or name in lower:
            new[name] = round(f1, 4)
            continue
        new[name] = old
        if f1 < old - EPSILON:
            refused.append(name)
    return dict(sorted(new.items())), refused


def main(arguments: list[str]) -> int:
    """The command; see the head of this file."""
    parser = argparse.ArgumentParser(description="the floors of the gold gate")
    parser.add_argument("--update", action="store_true", help="write floors.json")
    parser.add_argument("--lower", action="append", default=[], metavar="NAME", help="its floor may fall")
    options = parser.parse_args(arguments)
    floors, gold = read_floors(), pages()
    measured = {name: measure(name, gold) for name in registry.names()}
    for name in options.lower:
        if name not in measured:
            parser.error(f"there is no extractor {name!r}")
    new, refused = updated(floors, measured, frozenset(options.lower))
    for name in sorted({*floors, *new}):
        before, after = floors.get(name), new.get(name)
        f1 = f"{measured[name]:.4f}" if name in measured else "gone"
        change = "" if before == after else f"  floor {before} -> {after}"
        print(f"{name:16} F1 {f1}  floor {before}{change}")
    for name in refused:
        print(f"refused to lower the floor of {name}: give --lower {name} if that is meant", file=sys.stderr)
    if options.update:
        FLOORS.write_text(json.dumps(new, indent=1) + "\n", encoding="utf-8")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
