"""Corpora of families: texts, and seeded edits of them, of any number of pages, the same on every machine.

Texts are drawn from sentences: those of gold files where there are any, or of words that are made up. More
than half of the pages are alone; the others are edits of one text, with up to a twelfth of its words changed,
a sentence put in or a sentence left out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cedar.transforms.scoring.gold import GoldSet
from tests.dedup.corpora import words

_END = re.compile(r"(?<=[.!?]) +")
_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a family.

    Attributes:
        family: number of the family's first page.
        text: its text.
    """

    family: int
    text: str


def gold_sentences(folder: Path) -> list[list[str]]:
    """The words of each sentence of 5 to 40 words, once, of the gold texts in a folder.

    But for scripts without blanks, whose words are many tokens.
    """
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.jsonl.zst")):
        gold = GoldSet.at(str(path))
        for page in gold.read(range(gold.count())):
            for sentence in _END.split(page.text.replace("\n", " ")):
                split = sentence.split()
                if 5 <= len(split) <= 40 and max(sentence) < "\u2e80":
                    found.setdefault(sentence, split)
    return list(found.values())


def made_sentences(seed: int = 1) -> list[list[str]]:
    """Sentences of made-up words."""
    return [words(seed * 10**6 + number, 8 + number % 17) for number in range(40_000)]


def pages(count: int, seed: int, sentences: Sequence[list[str]]) -> Iterator[Page]:
    """Make pages, family after family, of 100 to 300 words."""
    chance = random.Random(seed)
    number = 0
    while number < count:
        base, least = [], chance.randrange(100, 300)
        while sum(map(len, base)) < least:
            base.append(chance.choice(sentences))
        members = 1 if chance.random() < 0.8 else chance.randrange(2, 6)
        for member in range(min(members, count - number)):
            text = _edited(base, sentences, chance) if member else [word for part in base for word in part]
            yield Page(number - member, " ".join(text))
            number += 1


def shingles(text: str) -> set[tuple[str, ...]]:
    """The runs of five tokens of a text."""
    tokens = _TOKEN.findall(text.lower())
    return {tuple(tokens[i : i + 5]) for i in range(len(tokens) - 4)}


def _edited(base: Sequence[list[str]], sentences: Sequence[list[str]], chance: random.Random) -> list[str]:
    kind = chance.random()
    if kind < 0.1:
        base = [*base, chance.choice(sentences)]
    elif kind < 0.2:
        base = list(base)
        base.pop(chance.randrange(len(base)))
    text = [word for part in base for word in part]
    for at in chance.sample(range(len(text)), chance.randrange(len(text) // 12)):
        text[at] = f"edit{chance.randrange(10**6)}"
    return text
