"""Masks: words in place of the personal data in the columns of a page."""

import dataclasses
import functools
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cedar.transforms.curation._personal import EMAIL, IP, PHONE, find_personal
from cedar.transforms.model.annotations import Markdown, Masked, Own
from cedar.transforms.model.records import ExtractedPage, Reject
from cedar.transforms.model.texts import MAX_DETAIL_CHARS, valid_text

PERSONAL_KINDS: Mapping[str, int] = {"email": EMAIL, "ip": IP, "phone": PHONE}
"""The kinds of personal data."""

_WORDS: Mapping[int, tuple[str, ...]] = {EMAIL: ("<EMAIL>",), IP: ("<IP>",), PHONE: ("<PHONE>",)}

_OF_DATATROVE: Mapping[int, tuple[str, ...]] = {
    EMAIL: ("email@example.com", "firstname.lastname@example.org"),
    IP: (
        "22.214.171.124",
        "126.96.36.199",
        "188.8.131.52",
        "184.108.40.206",
        "220.127.116.11",
        "18.104.22.168",
    ),
    PHONE: ("<PHONE>",),
}
"""The replacements of `PIIFormatter` of datatrove 0.10.1, which leaves telephone numbers alone."""

STYLES: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "words": _WORDS,
    "datatrove": _OF_DATATROVE,
}
"""The replacements of each kind by style: they take turns on a page."""

_NAMES = {kind: name for name, kind in PERSONAL_KINDS.items()}


@dataclass(frozen=True, slots=True)
class Mask:
    """The kinds that are masked, of `PERSONAL_KINDS` without repeats, and the style, one of `STYLES`."""

    kinds: tuple[str, ...] = ()
    style: str = "words"

    @property
    def choices(self) -> dict[str, str]:
        """The identity that a corpus is pinned to."""
        kinds = ",".join(kind for kind in PERSONAL_KINDS if kind in self.kinds)
        return {"mask": kinds, "mask_with": self.style} if kinds else {}


NO_MASK = Mask()


class PageMask:
    """Masks the texts of one page, in their order; `counts` has the number of masks of each kind."""

    def __init__(self, mask: Mask) -> None:
        self._kinds = sum(PERSONAL_KINDS[name] for name in mask.kinds)
        self._words = STYLES[mask.style]
        self.counts: Counter[str] = Counter()

    def masked(self, text: str) -> str:
        """Return a text with its personal data masked.

        Raises UnicodeEncodeError: the text holds a lone surrogate.
        """
        found = find_personal(text, self._kinds)
        if not found:
            return text
        return _replaced(text.encode(), found, self._words_in_turn())

    def masked_parts(self, parts: Sequence[str]) -> list[str]:
        """Mask valid texts that follow each other on a page, also an address that goes over their ends.

        The parts may be lines, or pieces of one line whose blanks at the cuts are left out.
        """
        encoded = [part.encode() for part in parts]
        found: list[list[tuple[int, int, int]]] = [[] for _ in parts]
        for glue in ("\n", "", " "):
            spans = iter(find_personal(glue.join(parts), self._kinds))
            span = next(spans, None)
            first = 0
            for number, part in enumerate(encoded):
                last = first + len(part)
                while span is not None and span[0] < last:
                    start, stop, kind = span
                    if part and stop > first:
                        found[number].append((max(start, first) - first, min(stop, last) - first, kind))
                    if stop > last:
                        break  # it goes on in the next part
                    span = next(spans, None)
                first = last + len(glue)
        word = self._words_in_turn()
        return [_replaced(part, spans, word) for part, spans in zip(encoded, found, strict=True)]

    def masked_markdown(self, markdown: str) -> str:
        """Return Markdown that Cedar wrote with the personal data in its visible text masked.

        Raises UnicodeEncodeError: the Markdown holds a lone surrogate.
        """
        if not self._kinds:
            return markdown
        from cedar.transforms.curation.masked_markdown import (
            masked_markdown,
        )  # here: it imports all of Markdown

        return masked_markdown(markdown, lambda text: find_personal(text, self._kinds), self._words_in_turn())

    def _words_in_turn(self) -> Callable[[int], str]:
        """Return a function that gives the next word for a kind in one text, and counts it."""
        turns: Counter[int] = Counter()

        def word(kind: int) -> str:
            words = self._words[kind]
            turns[kind] += 1
            self.counts[_NAMES[kind]] += 1
            return words[(turns[kind] - 1) % len(words)]

        return word


def _replaced(text: bytes, spans: Iterable[tuple[int, int, int]], word: Callable[[int], str]) -> str:
    """Replace each span by a word, and spans that overlap by one word."""
    parts: list[bytes] = []
    after = 0
    for start, stop, kind in sorted(spans):
        if start >= after:
            parts += (text[after:start], word(kind).encode())
        after = max(after, stop)
    parts.append(text[after:])
    return b"".join(parts).decode()


@functools.cache
def _personal_columns(record: type) -> tuple[str, ...]:
    """Return the names of the columns of a group that may hold personal data."""
    # Here, because `cedar text` masks nothing, as a rule.
    from cedar.transforms.model.columns import columns_of

    return tuple(column.name for column in columns_of(record) if column.personal)


_MAX_CUT_CHARS = 64
"""Characters at the end of a message that was cut: an address may have been cut there."""


def masked_reject(reject: Reject, mask: Mask) -> Reject:
    """Mask the particulars of a reject: an error from another library may quote the page."""
    if not mask.kinds or not reject.detail:
        return reject
    detail = valid_text(reject.detail)[:MAX_DETAIL_CHARS]
    masked = PageMask(mask).masked(detail)
    if len(detail) == MAX_DETAIL_CHARS:
        masked = masked[:-_MAX_CUT_CHARS]
    return dataclasses.replace(reject, detail=masked)


def masked_page(page: ExtractedPage, mask: Mask) -> ExtractedPage:
    """Mask the columns of a page that may hold personal data: marked columns, and texts of own signals.

    Digest, characters and bytes are of the masked text; words, lines, signals, language and
    signature are of the text before. The URL stays: it is what a page is known by.
    """
    if not mask.kinds:
        return page
    on_page = PageMask(mask)

    def masked(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: on_page.masked(text) for name, text in values.items() if isinstance(text, str)}

    def texts(record: NamedTuple) -> dict[str, Any]:
        return masked({name: getattr(record, name) for name in _personal_columns(type(record))})

    row = page.row._replace(**texts(page.row))
    annotations: list[NamedTuple] = []
    before = 0
    for record in page.annotations:
        if isinstance(record, Masked):
            before = record.masked or 0
        elif isinstance(record, Markdown):
            # It is the text once more, whose masks are counted already.
            markdown = record.markdown and PageMask(mask).masked_markdown(record.markdown)
            annotations.append(Markdown(markdown))
        elif isinstance(record, Own):
            annotations.append(Own({**record.values, **masked(record.values)}))
        else:
            annotations.append(record._replace(**texts(record)))
    encoded = row.text.encode()
    digest = hashlib.blake2b(encoded, digest_size=16)
    signature = page.signature
    if signature is not None:
        signature = signature._replace(text_digest=digest.digest())
    return dataclasses.replace(
        page,
        row=row._replace(text_digest=digest.hexdigest(), text_chars=len(row.text)),
        text_bytes=len(encoded),
        annotations=(*annotations, Masked(before + sum(on_page.counts.values()))),
        signature=signature,
        masked=tuple(sorted(on_page.counts.items())),
    )
