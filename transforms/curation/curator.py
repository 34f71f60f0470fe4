"""What is made of a page between its extraction and its file: annotations, a signature, a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from transforms.curation._tokens import Tokens
from transforms.curation.expressions import Value
from transforms.curation.language import Identifier, load_identifier
from transforms.curation.plan import MARK, MOVE, REJECT, CurationPlan
from transforms.curation.rules import Verdict
from transforms.curation.signals import measure
from transforms.curation.signatures import sign, sign_text, url_hash
from transforms.curation.stop_words import ENGLISH, StopWords, stop_words
from transforms.model.annotations import Drop, Language, Signals
from transforms.model.books import Cost, RejectReason, Stage
from transforms.model.records import ExtractedPage, PageRow, Reject, SignatureRow
from transforms.model.timing import clock

_Record = TypeVar("_Record", Language, Signals)


@dataclass(frozen=True, slots=True)
class Curated:
    """What is made of a page.

    Attributes:
        annotations: a record for each group of columns that is filled.
        signature: its signature, with 0 for its row; None if none is asked for, or it is no page any more.
        verdict: why it is dropped; None if it is kept.
        judged: its language, where presets judged it; None where it is not known.
    """

    annotations: tuple[NamedTuple, ...]
    signature: SignatureRow | None
    verdict: Verdict | None
    judged: str | None


class Curator:
    """Makes of each page what a plan asks for.

    Raises:
        LanguageModelError: the language model is not there, or is none.
    """

    def __init__(self, plan: CurationPlan) -> None:
        self._plan = plan
        self._identifier: Identifier | None = None
        if plan.language_model is not None:
            self._identifier = load_identifier(plan.language_model)
        self._measures = plan.signals or bool(plan.rules.presets)
        self._row = 0  # of the shard's file of pages

    def end_shard(self) -> None:
        """Number the rows of pages from 0 again."""
        self._row = 0

    def applied(self, page: ExtractedPage) -> ExtractedPage | Reject:
        """Annotate, sign and judge a page on its way to its file."""
        start = clock()
        curated = self.curate(page.row, page.annotations)
        verdict = curated.verdict
        if verdict is not None and self._plan.dropped == REJECT:
            return _rejected(page, verdict, clock() - start)
        is_moved = verdict is not None and self._plan.dropped == MOVE
        signature = curated.signature and curated.signature._replace(row=self._row)
        self._row += not is_moved
        return ExtractedPage(
            shard=page.shard,
            row=page.row,
            text_bytes=page.text_bytes,
            decode=page.decode,
            extract=page.extract,
            annotations=curated.annotations,
            signature=signature,
            dropped_by=verdict.rule if verdict is not None and is_moved else None,
            filter=clock() - start,
            judged=curated.judged,
        )

    def curate(self, row: PageRow, known: tuple[NamedTuple, ...] = ()) -> Curated:
        """Annotate, sign and judge a page.

        Args:
            row: the page.
            known: annotations that it has already: they stay, and are not made anew.
        """
        language = _of(Language, known)
        if language is None and self._identifier is not None:
            language = self._identifier.identify(row.text)
        signals, tokens = _of(Signals, known), None
        if signals is None and self._measures:
            signals, tokens = measure(row.text, _stop_words(language))
        made = (Language, Signals, Drop) if self._plan.has_rules else (Language, Signals)
        annotations = [record for record in known if not isinstance(record, made)]
        annotations += [record for record in (language, signals) if record is not None]
        verdict = self._plan.rules.judge(_Values(row, annotations).value, signals)
        if self._plan.has_rules:
            annotations.append(Drop(None if verdict is None else verdict.reason))
        is_page = verdict is None or self._plan.dropped == MARK
        signature = self._signature(row, tokens) if self._plan.signatures and is_page else None
        is_judged = self._plan.rules.presets and (verdict is None or verdict.is_of_preset)
        judged = language.language if language is not None and is_judged else None
        return Curated(tuple(annotations), signature, verdict, judged)

    def _signature(self, row: PageRow, tokens: Tokens | None) -> SignatureRow:
        """The row of the page's signature, its number apart."""
        signature = sign_text(row.text) if tokens is None else sign(tokens)
        return SignatureRow(
            row=0,
            text_digest=bytes.fromhex(row.text_digest),
            url_hash=url_hash(row.url),
            keys=None if signature is None else signature.keys,
            minhash=signature.minima if signature is not None and self._plan.full_signatures else None,
        )


def _rejected(page: ExtractedPage, verdict: Verdict, spent: Cost) -> Reject:
    return Reject(
        page.shard,
        page.row.source,
        page.row.offset,
        page.row.length,
        page.row.url,
        Stage.FILTER,
        RejectReason.FILTERED,
        verdict.reason,
        decode=page.decode,
        extract=page.extract,
        filter=spent,
    )


class _Values:
    """The values of a page by the names of columns."""

    def __init__(self, row: PageRow, annotations: list[NamedTuple]) -> None:
        self._records = (row, *annotations)

    def value(self, name: str) -> Value | None:
        for record in self._records:
            if hasattr(record, name):
                found: Value | None = getattr(record, name)
                return found
        return None


def _of(kind: type[_Record], records: tuple[NamedTuple, ...]) -> _Record | None:
    for record in records:
        if isinstance(record, kind):
            return record
    return None


def _stop_words(language: Language | None) -> StopWords | None:
    """Those of a page's language; the English ones where nobody asked for languages."""
    if language is None:
        return stop_words(ENGLISH)
    return None if language.language is None else stop_words(language.language)
