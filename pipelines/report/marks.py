"""The parts of a text that count against it, found by a signal's own measure of each line or word."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from cedar.pipelines.drawing.words import Stretch
from cedar.transforms.curation import _signals, _tokens

_OF_LINES = frozenset(
    {
        *("bullet_lines", "ellipsis_lines", "terminal_lines", "short_lines", "javascript_lines"),
        *("policy_lines", "lorem_ipsum", "curly_bracket", "rw_removed_words"),
        *("c4_lines", "c4_sentences", "c4_sentences_any_end"),
    }
)
_OF_WORDS = frozenset({"hash_ratio", "ellipsis_ratio", "alpha_words"})
_GOOD = frozenset({"terminal_lines", "c4_lines", "c4_sentences", "c4_sentences_any_end", "alpha_words"})
"""Signals for which a line or a word without them counts against a text."""

_LINE = re.compile(r"[^\n]*\S[^\n]*")
_WORD = re.compile(r"\S+")
_NGRAM = re.compile(r"(top|dup)_(\d+)gram")
_MAX_PARTS = 400  # parts


def counting_parts(signal: str, text: str) -> list[Stretch]:
    """Return the parts [start, stop) that count against a text by a signal; none for other signals."""
    if ngram := _NGRAM.fullmatch(signal):
        parts = _repeated_ngrams(text, int(ngram[2]), is_top=ngram[1] == "top")
    elif signal.startswith("dup_line"):
        parts = _repeated_lines(text)
    elif signal in _OF_LINES | _OF_WORDS:
        parts = _measured(signal, text)
    else:
        return []
    return list(islice(parts, _MAX_PARTS))


def _measured(signal: str, text: str) -> Iterator[Stretch]:
    for part in (_WORD if signal in _OF_WORDS else _LINE).finditer(text):
        signals, _ = _signals.measure(part[0], None)
        if bool(getattr(signals, signal)) != (signal in _GOOD):
            yield part.span()


def _repeated_lines(text: str) -> Iterator[Stretch]:
    seen: set[str] = set()
    for line in _LINE.finditer(text):
        key = line[0].strip()
        if key in seen:
            yield line.span()
        seen.add(key)


def _repeated_ngrams(text: str, size: int, *, is_top: bool) -> Iterator[Stretch]:
    """Yield each occurrence of the most frequent n-gram of tokens, or each n-gram that occurred before."""
    hashes, lengths = _tokens.read(text).as_lists()
    spans = list(_token_spans(text, lengths))
    ngrams = [tuple(hashes[at : at + size]) for at in range(len(hashes) - size + 1)]
    top = {ngram for ngram, count in Counter(ngrams).most_common(1) if count > 1}
    seen: set[tuple[int, ...]] = set()
    for at, ngram in enumerate(ngrams):
        if ngram in (top if is_top else seen):
            yield spans[at][0], spans[at + size - 1][1]
        seen.add(ngram)


def _token_spans(text: str, lengths: list[int]) -> Iterator[Stretch]:
    """Yield the characters [start, stop) of the tokens of a text, which have these lengths."""
    at = 0
    for length in lengths:
        while at < len(text) and not (text[at].isalnum() or text[at] == "_"):
            at += 1
        yield at, at + length
        at += length
