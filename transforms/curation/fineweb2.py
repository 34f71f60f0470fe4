"""FineWeb-2's bounds, one row per language and script (Penedo et al. 2025, arXiv:2506.20920).

`fineweb2.tsv`, made by lab/fineweb2_table.py, holds sixty languages out of `configs/` of
huggingface/fineweb-2 as of 2025-10-27 (Apache License 2.0), in the order of `LanguageRow`. Each page is held
to the row of its own language; a page in English to the bounds of `fineweb`.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cedar.transforms.curation.languages import PARTNERS
from cedar.transforms.curation.presets import Bound

FINEWEB2 = "fineweb2"
KEEP, OTHERWISE_MARK = "keep", "mark"
_TABLE = Path(__file__).with_name("fineweb2.tsv")

_NUMBERS = (
    "language_score", "dup_line_frac", "line_punct_thr", "new_line_ratio",
    "min_avg_word_length", "max_avg_word_length", "max_non_alpha_words_ratio",
)  # fmt: skip
_RUNS = {"top_n_grams": (2, 3, 4), "dup_n_grams": (5, 6, 7, 8, 9, 10)}
_KEYS = {*_NUMBERS, *_RUNS, "stopwords"}


class LanguageRow(NamedTuple):
    """The bounds of a language: `numbers` as they are named above, `runs` of 2 to 10 words."""

    numbers: tuple[float, ...]
    runs: tuple[float, ...]
    words: tuple[str, ...]


@cache
def bounds_of(row: LanguageRow) -> tuple[Bound, ...]:
    """Return the bounds of a row in FineWeb-2's order: repetition, FineWeb's rules, Gopher's of quality."""
    _, lines, ends, line_feeds, shortest, longest, letters = row.numbers
    return (
        Bound("dup_lines", "<=", lines),
        *(Bound(f"{'top' if n < 5 else 'dup'}_{n}gram", "<=", share) for n, share in enumerate(row.runs, 2)),
        Bound("terminal_lines", ">=", ends),
        Bound("dup_line_chars_net", "<=", 0.1),
        Bound("newline_ratio", "<=", line_feeds),
        Bound("cedar_words", ">=", 50),
        Bound("cedar_words", "<=", 100_000),
        Bound("mean_word_length", ">=", shortest),
        Bound("mean_word_length", "<=", longest),
        Bound("hash_ratio", "<=", 0.1),
        Bound("ellipsis_ratio", "<=", 0.1),
        Bound("bullet_lines", "<=", 0.9),
        Bound("ellipsis_lines", "<=", 0.3),
        Bound("alpha_words", ">=", letters),
        Bound("stop_words", ">=", 2),
    )


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """The rows of all languages.

    Attributes:
        rows: by language and script, as `deu_Latn`.
        otherwise: what becomes of a page in a language without a row: keep, drop or mark.
        has_scores: whether the scores of languages are GlotLID's, which the bounds on them are made for.
    """

    rows: Mapping[str, LanguageRow]
    otherwise: str = KEEP
    has_scores: bool = False

    def key_of(self, language: object, script: object) -> str:
        """Name the row of a language (ISO 639-3) in a script (ISO 15924); there need not be one."""
        if language is None:
            return "no language"
        name = "Jpan" if language == "jpn" else script
        return f"{PARTNERS.get(str(language), language)}_{name}"

    @property
    def digest(self) -> str:
        """BLAKE2b-128 of the rows, hex."""
        return hashlib.blake2b(repr(sorted(self.rows.items())).encode(), digest_size=16).hexdigest()


def shipped_rows() -> dict[str, LanguageRow]:
    """Return the rows that come with Cedar."""
    rows = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            key, numbers, runs, words = line.split("\t")
            rows[key] = LanguageRow(_floats(numbers), _floats(runs), tuple(words.split()))
    return rows


def read_rows(folder: Path) -> dict[str, LanguageRow]:
    """Read the files of a directory as FineWeb-2 publishes them: `deu_Latn.yml`.

    Raises OSError: it cannot be read; ValueError: it has no such file, or one of them is of another form.
    """
    import yaml

    rows = {}
    for path in sorted(folder.glob("*_*.yml")):
        try:
            found = yaml.safe_load(path.read_text(encoding="utf-8"))
            if set(found) != _KEYS:
                raise ValueError(f"keys {sorted(set(found) ^ _KEYS)}")
            if any(tuple(n for n, _ in found[name]) != runs for name, runs in _RUNS.items()):
                raise ValueError("runs of other numbers of words")
            shares = tuple(float(share) for name in _RUNS for _, share in found[name])
            numbers = tuple(float(found[name]) for name in _NUMBERS)
            rows[path.stem] = LanguageRow(numbers, shares, tuple(map(str, found["stopwords"])))
        except (yaml.YAMLError, TypeError, ValueError) as error:
            raise ValueError(
                f"{path} is not a file of FineWeb-2's: {' '.join(str(error).split())}"
            ) from error
    if not rows:
        raise ValueError(f"{folder} has no file of FineWeb-2's, as deu_Latn.yml")
    return rows


def _floats(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split()))
