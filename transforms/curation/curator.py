"""What is made of a page between its extraction and its file: annotations, a signature, a verdict."""

import dataclasses
import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from cedar.transforms.curation._signals import measure
from cedar.transforms.curation._signatures import sign
from cedar.transforms.curation._tokens import Tokens
from cedar.transforms.curation.expressions import Value
from cedar.transforms.curation.language import Identifier, load_identifier
from cedar.transforms.curation.masks import masked_page
from cedar.transforms.curation.own_signals import OwnSignals, SignalInput
from cedar.transforms.curation.plan import MARK, MOVE, REJECT, CurationPlan
from cedar.transforms.curation.rules import Verdict
from cedar.transforms.curation.scores import TextScorer
from cedar.transforms.curation.signatures import sign_text, url_hash
from cedar.transforms.curation.stop_words import ENGLISH, hashes_of, stop_words
from cedar.transforms.model._cost import Cost, clock
from cedar.transforms.model.annotations import Drop, Language, Own, Signals
from cedar.transforms.model.books import Deadline, RejectedError, RejectReason, Stage, rejection_of
from cedar.transforms.model.records import ExtractedPage, PageRow, Reject, SignatureRow

_Record = TypeVar("_Record", Language, Signals)
_Made = TypeVar("_Made")
_Steps = Generator[SignalInput, tuple[Own | RejectedError, Cost], _Made]
"""The steps of a page, which stop once: for the answers of the user's functions, and what these took."""


@dataclass(frozen=True, slots=True)
class Curated:
    """What is made of a page: a record for each group of columns that is filled, a signature, a verdict.

    The signature has 0 for its row, and is None of what is not a page any more; the verdict is None of what
    is kept; `judged` is its language, where presets judged it.
    """

    annotations: tuple[NamedTuple, ...]
    signature: SignatureRow | None
    verdict: Verdict | None
    judged: str | None


class Curator:
    """Makes of each page what a plan asks for; `page_seconds` of CPU time include what it took before.

    Raises:
        LanguageModelError: the language model is missing or not valid.
        ClassifierError: a classifier is.
        ValueError: a signal of the user's own is not available.
    """

    def __init__(self, plan: CurationPlan, page_seconds: float = math.inf) -> None:
        self._plan = plan
        self._page_seconds = page_seconds
        self._identifier: Identifier | None = None
        if plan.language_model is not None:
            self._identifier = load_identifier(plan.language_model)
        self._scorer = TextScorer(plan.classifiers) if plan.classifiers else None
        self._own = OwnSignals(plan.own) if plan.own else None
        self._measures = plan.signals or bool(plan.rules.presets)

    def applied(self, elements: Sequence[Any]) -> list[Any]:
        """Annotate, sign and judge the pages among elements on their way to a file; they may be rejects."""
        pages = [self._applied(one) for one in elements if isinstance(one, ExtractedPage)]
        made = iter(self._together(pages))
        return [next(made) if isinstance(one, ExtractedPage) else one for one in elements]

    def curate(self, row: PageRow, known: tuple[NamedTuple, ...] = ()) -> Curated:
        """Annotate, sign and judge a page; annotations that are `known` stay, and are not made again.

        Raises:
            RejectedError: the page takes longer than it may: `deadline` is looked at between the steps.
        """
        return self._together([self._curated(row, known, Deadline(self._page_seconds))])[0]

    def _together(self, pages: Sequence[_Steps[_Made]]) -> list[_Made]:
        """Take the steps of pages: all up to the user's functions, which are given all pages at once."""
        made: dict[int, _Made] = {}
        asked: list[tuple[int, _Steps[_Made], SignalInput]] = []
        for number, each in enumerate(pages):
            try:
                asked.append((number, each, next(each)))
            except StopIteration as end:
                made[number] = end.value
        if self._own is not None and asked:
            start = clock()
            answers = self._own.of([page for _, _, page in asked])
            share = (clock() - start) / len(asked)
            for (number, each, _), answer in zip(asked, answers, strict=True):
                try:
                    each.send((answer, share))
                except StopIteration as end:
                    made[number] = end.value
        return [made[number] for number in range(len(pages))]

    def _applied(self, page: ExtractedPage) -> _Steps[ExtractedPage | Reject]:
        deadline = Deadline(self._page_seconds, page.decode.cpu + page.extract.cpu)
        try:
            curated = yield from self._curated(page.row, page.annotations, deadline)
            spent = deadline.check()
        except (MemoryError, OSError):
            raise  # the machine's fault, not the page's
        except Exception as error:  # noqa: BLE001 - whatever a page does to a step is its own reject
            refusal = rejection_of(error)
            page = dataclasses.replace(page, filter=deadline.spent())
            return page.rejected(Stage.FILTER, refusal.reason, refusal.detail)
        verdict = curated.verdict
        is_out = verdict is not None and not verdict.is_mark
        is_moved = is_out and self._plan.dropped == MOVE
        made = ExtractedPage(
            *(page.shard, page.row, page.text_bytes, page.decode, page.extract),
            curated.annotations,
            curated.signature,
            verdict.rule if verdict is not None and is_moved else None,
            spent,
            curated.judged,
        )
        if verdict is not None and is_out and self._plan.dropped == REJECT:
            return made.rejected(Stage.FILTER, RejectReason.FILTERED, verdict.reason)
        return masked_page(made, self._plan.mask)

    def _curated(self, row: PageRow, known: tuple[NamedTuple, ...], deadline: Deadline) -> _Steps[Curated]:
        language = _of(Language, known)
        if language is None and self._identifier is not None:
            language = self._identifier.identify(row.text)
        signals, tokens = _of(Signals, known), None
        table = self._plan.rules.languages
        row_of_language = None
        if table is not None and language is not None:
            row_of_language = table.rows.get(table.key_of(language.language, language.language_script))
        measured = signals
        if self._measures and (signals is None or row_of_language is not None):
            deadline.check()
            # Unless languages are asked for, the English ones.
            spoken = ENGLISH if language is None else language.language
            words = None if spoken is None else stop_words(spoken)
            if row_of_language is not None:
                words = hashes_of(row_of_language.words)
            measured, tokens = measure(row.text, words)
            signals = signals or measured
        deadline.check()
        made = (Language, Signals, Drop) if self._plan.has_rules else (Language, Signals)
        annotations = [record for record in known if not isinstance(record, made)]
        annotations += [record for record in (language, signals) if record is not None]
        if self._scorer is not None:
            annotations.append(self._scorer.score(row.text))
        if self._own is not None:
            spoken = None if language is None else language.language
            spent = deadline.spent()
            answer, share = yield SignalInput(row.text, row.url, spoken, signals)
            deadline.resume(spent + share)
            if isinstance(answer, RejectedError):
                raise answer
            annotations.append(answer)
        own = {name: one.values[name] for one in annotations if isinstance(one, Own) for name in one.values}
        records = (row, *annotations)

        def value(name: str) -> Value | None:
            if name in own:
                return own[name]
            return next((getattr(record, name) for record in records if hasattr(record, name)), None)

        verdict = self._plan.rules.judge(value, measured)
        if self._plan.has_rules:
            annotations.append(Drop(None if verdict is None else verdict.reason))
        is_page = verdict is None or verdict.is_mark or self._plan.dropped == MARK
        signature = self._signature(row, tokens) if self._plan.signatures and is_page else None
        is_judged = self._plan.rules.is_of_english and (verdict is None or verdict.is_of_preset)
        judged = language.language if language is not None and is_judged else None
        return Curated(tuple(annotations), signature, verdict, judged)

    def _signature(self, row: PageRow, tokens: Tokens | None) -> SignatureRow:
        """Return the row of the page's signature, its number apart."""
        keys, minima = sign_text(row.text) if tokens is None else sign(tokens)
        minhash = minima if self._plan.full_signatures else None
        return SignatureRow(0, bytes.fromhex(row.text_digest), url_hash(row.url), keys, minhash)


def _of(kind: type[_Record], records: tuple[NamedTuple, ...]) -> _Record | None:
    for record in records:
        if isinstance(record, kind):
            return record
    return None
