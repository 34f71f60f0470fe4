"""The signals of a text, plainly: what `cedar.transforms.curation._signals` is held to.

See docs/curation.md.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from cedar.transforms.curation._characters import BULLETS, CLOSERS, DENSE_RANGES, TERMINALS, WIDE_TERMINALS

Number = int | float | bool

_C4_PHRASES = (
    "terms of use",
    "privacy policy",
    "cookie policy",
    "uses cookies",
    "use of cookies",
    "use cookies",
)
_C4_NOTES = re.compile(r"\[(?:\d*|edit|citation needed)\]")
_COUNTED = "likes shares comments retweets reposts quotes bookmarks upvotes downvotes downloads views"
_COUNTER = re.compile(rf"\W*\d[\d,.]*[kmb]?\s+(?:followers|{_COUNTED.replace(' ', '|')})\W*")
_SENTENCE_END = re.compile(
    f"[{re.escape(TERMINALS)}]*[{re.escape(WIDE_TERMINALS)}][{re.escape(TERMINALS)}]*[{re.escape(CLOSERS)}]*"
    rf"|[{re.escape(TERMINALS)}]+[{re.escape(CLOSERS)}]*(?=(\s|$)?)"
)


def is_dense(character: str) -> bool:
    """Whether a character is of a script without blanks between words."""
    return any(first <= ord(character) <= last for first, last in DENSE_RANGES)


def is_word(character: str) -> bool:
    """Whether a token may begin with it."""
    return character == "_" or character.isalnum()


def tokens(text: str) -> list[str]:
    """The tokens of a text."""
    found: list[str] = []
    open_token = False
    for character in text:
        if character in "\u200c\u200d":
            continue
        if unicodedata.category(character).startswith("M"):
            if open_token:
                found[-1] += character
        elif not is_word(character):
            open_token = False
        elif open_token and not is_dense(character) and not is_dense(found[-1][0]):
            found[-1] += character
        else:
            found.append(character)
            open_token = True
    return found


def sentences(line: str) -> int:
    """The number of sentences of a line."""
    count = start = 0
    for end in _SENTENCE_END.finditer(line):
        wide = any(c in WIDE_TERMINALS for c in end.group())
        if wide or end.group(1) is not None:
            count += any(map(is_word, line[start : end.start()]))
            start = end.end()
    return count + any(map(is_word, line[start:]))


def _grams(words: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[k:] for k in range(n)), strict=False)


def top_chars(words: Sequence[str], n: int) -> int:
    """Characters of the run that comes most often, with blanks, times its count; 0 if none comes twice."""
    ranked = [(count, len(" ".join(gram))) for gram, count in Counter(_grams(words, n)).items() if count > 1]
    return math.prod(max(ranked, default=(0, 0)))


def duplicate_chars(words: Sequence[str], n: int) -> int:
    """Characters of runs that came before; the walk goes on behind each."""
    seen = set()
    chars = skip = 0
    for gram in _grams(words, n):
        if skip:
            skip -= 1
        elif gram in seen:
            chars += sum(map(len, gram))
            skip = n - 1
        else:
            seen.add(gram)
    return chars


def refinedweb_drops(line: str) -> bool:
    """Whether RefinedWeb takes a line out."""
    return (
        sum(c.isupper() for c in line) > 0.5 * len(line)
        or sum(c.isdigit() for c in line) / len(line) > 0.999999
        or _COUNTER.fullmatch(line.lower()) is not None
        or len(tokens(line)) < 2
    )


def c4(lines: Collection[str]) -> dict[str, Number]:
    """What C4 makes of lines that are not blank."""
    found = dict.fromkeys(("c4_sentences", "c4_sentences_any_end", "policy_lines", "javascript_lines"), 0)
    lorem = curly = False
    kept = 0
    for written in lines:
        words = written.split()
        if max(map(len, words)) > 1000:
            continue
        line = _C4_NOTES.sub("", written.strip())
        if len(tokens(line) if any(map(is_dense, line)) else words) < 3:
            continue
        low = line.lower()
        lorem |= "lorem ipsum" in low
        if "javascript" in low:
            found["javascript_lines"] += 1
            continue
        curly |= "{" in line
        if any(phrase in low for phrase in _C4_PHRASES):
            found["policy_lines"] += 1
            continue
        found["c4_sentences_any_end"] += sentences(line)
        if line and line[-1] in TERMINALS + "\"'”" and line[-3:] != "...":
            found["c4_sentences"] += sentences(line)
            kept += 1
    share = kept / len(lines) if lines else 0
    return {**found, "c4_lines": share, "lorem_ipsum": lorem, "curly_bracket": curly}


def signals(text: str, stop_words: Collection[str]) -> dict[str, Number]:
    """All signals of a text, shares in double precision."""

    def share(part: float, whole: float) -> float:
        return part / whole if whole else 0.0

    lines = [line for line in text.split("\n") if line.strip()]
    words = text.split()
    toks = tokens(text)
    low = Counter(token.lower() for token in toks)
    size, newlines = len(text), text.count("\n")
    dense = share(sum(is_dense(token[0]) for token in toks), len(toks))
    repeats = [line for at, line in enumerate(lines) if line in lines[:at]]
    repeated = sum(map(len, repeats))
    found: dict[str, Number] = {
        "cedar_words": len(toks),
        "sentences": sum(map(sentences, lines)),
        "dense_share": dense,
        "mean_word_length": share(sum(map(len, toks)), len(toks)),
        "hash_ratio": share(text.count("#"), len(words)),
        "ellipsis_ratio": share(text.count("...") + text.count("…"), len(words)),
        "bullet_lines": share(sum(line.strip()[0] in BULLETS for line in lines), len(lines)),
        "ellipsis_lines": share(sum(line.strip().endswith(("...", "…")) for line in lines), len(lines)),
        "terminal_lines": share(sum(line[-1] in TERMINALS for line in lines), len(lines)),
        "short_lines": share(sum(len(line) <= 30 for line in lines), len(lines)),
        "alpha_words": share(sum(any(map(str.isalpha, word)) for word in words), len(words)),
        "stop_words": sum(word in low for word in stop_words),
        "dup_lines": share(len(repeats), len(lines)),
        "dup_line_chars": share(repeated, size),
        "dup_line_chars_net": share(repeated, size - newlines),
        "newline_ratio": share(newlines, len(toks) if dense > 0.5 else len(words)),
        "unique_words": share(len(low), len(toks)),
        "word_entropy": -math.fsum(n / len(toks) * math.log(n / len(toks)) for n in low.values()),
        "caps_words": share(sum(map(str.isupper, toks)), len(toks)),
        "upper_chars": share(sum(map(str.isupper, text)), size),
        "digit_chars": share(sum(map(str.isdigit, text)), size),
        "rw_removed_words": share(
            sum(len(tokens(line)) for line in lines if refinedweb_drops(line)), len(toks)
        ),
    }
    found |= {f"top_{n}gram": share(top_chars(toks, n), size) for n in (2, 3, 4)}
    found |= {f"dup_{n}gram": share(duplicate_chars(toks, n), size) for n in range(5, 11)}
    return found | c4(lines)
