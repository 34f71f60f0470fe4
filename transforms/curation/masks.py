"""Masks: personal data in what is written of a page gives way to a word that says what it was."""

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cedar.transforms.curation._personal import EMAIL, IP, PHONE, find_personal
from cedar.transforms.model.annotations import Markdown, Masked, Metadata
from cedar.transforms.model.records import ExtractedPage

KINDS: Mapping[str, int] = {"email": EMAIL, "ip": IP, "phone": PHONE}
"""What can be masked."""

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

_IN_HTML = {kind: tuple(f"&lt;{word[1:-1]}&gt;" for word in words) for kind, words in _WORDS.items()}

STYLES: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "words": _WORDS,
    "datatrove": _OF_DATATROVE,
    "html": _IN_HTML,
}
"""What stands for the n-th of a kind on a page: by turns one of these. `html` is for pages that are drawn."""

_NAMES = {kind: name for name, kind in KINDS.items()}


@dataclass(frozen=True, slots=True)
class Mask:
    """What is masked, names of `KINDS` without repeats, and by what, one of `STYLES`."""

    kinds: tuple[str, ...] = ()
    style: str = "words"

    @property
    def choices(self) -> dict[str, str]:
        """What a corpus is pinned to."""
        kinds = ",".join(kind for kind in KINDS if kind in self.kinds)
        return {"mask": kinds, "mask_with": self.style} if kinds else {}


NO_MASK = Mask()


class PageMask:
    """Masks the texts of one page, in the order in which they are given; `counts` what it masked by kind."""

    def __init__(self, mask: Mask) -> None:
        self._kinds = sum(KINDS[name] for name in mask.kinds)
        self._words = STYLES[mask.style]
        self.counts: Counter[str] = Counter()

    def masked(self, text: str) -> str:
        """Return a text with its personal data masked.

        Raises:
            UnicodeEncodeError: the text holds a lone surrogate.
        """
        found = find_personal(text, self._kinds)
        if not found:
            return text
        encoded = text.encode()
        parts: list[bytes] = []
        after = 0
        turns: Counter[int] = Counter()
        for start, stop, kind in found:
            words = self._words[kind]
            parts += (encoded[after:start], words[turns[kind] % len(words)].encode())
            turns[kind] += 1
            after = stop
        for kind, number in turns.items():
            self.counts[_NAMES[kind]] += number
        parts.append(encoded[after:])
        return b"".join(parts).decode()

    def masked_or_none(self, text: str | None) -> str | None:
        """Return the same of a value that may be absent."""
        return None if text is None else self.masked(text)


def masked_page(page: ExtractedPage, mask: Mask) -> ExtractedPage:
    """Mask the text, title, Markdown, description, author and canonical address of a page.

    Digest, characters and bytes of the text are of what is written; its words, lines, signals, language and
    signature are of the text before. The URL stays: it is what a page is known by.
    """
    if not mask.kinds:
        return page
    on_page = PageMask(mask)
    row = page.row
    text = on_page.masked(row.text)
    title = on_page.masked_or_none(row.title)
    annotations: list[NamedTuple] = []
    before = 0
    for record in page.annotations:
        if isinstance(record, Markdown):
            # It is the text once more, of which all is counted.
            annotations.append(Markdown(PageMask(mask).masked_or_none(record.markdown)))
        elif isinstance(record, Metadata):
            fields = ("author", "canonical_url", "description")
            texts = {name: on_page.masked_or_none(getattr(record, name)) for name in fields}
            annotations.append(record._replace(**texts))
        elif isinstance(record, Masked):
            before = record.masked or 0
        else:
            annotations.append(record)
    encoded = text.encode()
    digest = hashlib.blake2b(encoded, digest_size=16)
    signature = page.signature
    if signature is not None:
        signature = signature._replace(text_digest=digest.digest())
    return dataclasses.replace(
        page,
        row=row._replace(text=text, title=title, text_digest=digest.hexdigest(), text_chars=len(text)),
        text_bytes=len(encoded),
        annotations=(*annotations, Masked(before + sum(on_page.counts.values()))),
        signature=signature,
        masked=tuple(sorted(on_page.counts.items())),
    )
