"""Curation of pages: annotations, rules that pages must pass, signatures and masks."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cedar.transforms.curation._signals import measure
from cedar.transforms.curation._signatures import sign
from cedar.transforms.curation._tokens import Tokens
from cedar.transforms.curation.decontamination import Decontaminator
from cedar.transforms.curation.expressions import Value
from cedar.transforms.curation.fineweb2 import LanguageRow
from cedar.transforms.curation.language import load_identifier
from cedar.transforms.curation.masks import masked_page, masked_reject
from cedar.transforms.curation.own_signals import OwnSignals, SignalInput
from cedar.transforms.curation.plan import MARK, MOVE, REJECT, CurationPlan
from cedar.transforms.curation.rules import RuleFailure
from cedar.transforms.curation.scores import TextScorer
from cedar.transforms.curation.signatures import sign_text, url_hash
from cedar.transforms.curation.stop_words import ENGLISH, hashes_of, stop_words
from cedar.transforms.curation.token_counts import TokenCounter
from cedar.transforms.model.annotations import Drop, Language, Own, Signals
from cedar.transforms.model.books import RejectedError, RejectReason, Stage, rejection_of
from cedar.transforms.model.page_work import PageWork, StageRunner
from cedar.transforms.model.records import ExtractedPage, Reject, SignatureRow


@dataclass(slots=True, kw_only=True)
class CuratedPage(PageWork):
    """A page, with the annotations of the stages so far.

    Attributes:
        page: the page as it came.
        language: its language, if it is asked for or was known before.
        signals: the signals that its row has: those that were known before, or else measured.
        rule_signals: the signals that rules look at, with the stop words of its language.
        tokens: the tokens of its text, if something needed them.
        others: records of columns that came with it, and that no stage makes.
        scores: records of the user's own columns: scores of classifiers, answers of functions.
        drop: the record of the rule that it fails, if there are rules.
        failure: the rule that it fails; None if it passes all.
        token_counts: its tokens, by column and language, as the books have them.
        signature: its signature, numbered 0; None if it is no page any more.
    """

    page: ExtractedPage
    language: Language | None = None
    signals: Signals | None = None
    rule_signals: Signals | None = None
    tokens: Tokens | None = None
    others: list[NamedTuple] = field(default_factory=list)
    scores: list[Own] = field(default_factory=list)
    drop: Drop | None = None
    failure: RuleFailure | None = None
    token_counts: tuple[tuple[str, int], ...] = ()
    signature: SignatureRow | None = None

    @property
    def annotations(self) -> tuple[NamedTuple, ...]:
        """The records of all columns that are filled."""
        made = (self.language, self.signals, *self.scores, self.drop)
        return (*self.others, *(record for record in made if record is not None))


class Curator:
    """Annotates, filters, signs and masks pages by a plan; a page may take `page_seconds` of CPU time in all.

    Each stage goes over all pages before the next one begins, because code runs faster right after itself.

    Raises LanguageModelError: the language model is missing or not valid; ClassifierError: a classifier is
    missing or not valid; ValueError: a signal of the user's own is not available.
    """

    def __init__(self, plan: CurationPlan, page_seconds: float = math.inf) -> None:
        self._plan = plan
        self._identifier = None if plan.language_model is None else load_identifier(plan.language_model)
        self._scorer = TextScorer(plan.classifiers) if plan.classifiers else None
        self._own = OwnSignals(plan.own) if plan.own else None
        self._decontaminator = Decontaminator(plan.benchmarks) if plan.benchmarks is not None else None
        self._token_counter = TokenCounter(plan.tokens) if plan.tokens else None
        self._runner = StageRunner(page_seconds, machine_errors=(MemoryError, OSError), reject=rejection_of)
        self._before_own: list[Callable[[CuratedPage], None]] = []
        if self._identifier is not None:
            self._before_own.append(self._identify_language)
        if plan.signals or plan.rules.presets:
            self._before_own.append(self._measure)
        if self._scorer is not None:
            self._before_own.append(self._score)
        self._after_own: list[Callable[[CuratedPage], None]] = [self._find_failure]
        if plan.signatures:
            self._after_own.append(self._sign)

    def curate(self, pages: Sequence[ExtractedPage]) -> list[ExtractedPage | Reject]:
        """Annotate, filter, sign and mask pages; return the row or reject of each, in their order.

        Raises MemoryError, OSError: the machine failed.
        """
        return [self._finished(curated) for curated in self.annotate(pages)]

    def annotate(self, pages: Sequence[ExtractedPage]) -> list[CuratedPage]:
        """Annotate and sign pages, find the rules that they fail; the pages and their annotations stay.

        Raises MemoryError, OSError: the machine failed.
        """
        works = [self._begin(page) for page in pages]
        for stage in self._before_own:
            self._runner.run(stage, works)
        if self._own is not None:
            self._runner.run_together(self._ask_own_signals, works)
        if self._token_counter is not None:
            self._runner.run_together(self._count_tokens, works)
        for stage in self._after_own:
            self._runner.run(stage, works)
        return works

    def presets_language(self, curated: CuratedPage) -> str | None:
        """Return the language of a page if presets made for English have measured it, else None."""
        if not self._plan.rules.is_of_english or curated.language is None:
            return None
        is_measured = curated.failure is None or curated.failure.is_of_preset
        return curated.language.language if is_measured else None

    def _begin(self, page: ExtractedPage) -> CuratedPage:
        """Return a page with its known annotations, without the annotations that stages make anew."""
        language = signals = None
        others: list[NamedTuple] = []
        for record in page.annotations:
            if isinstance(record, Language):
                language = record
            elif isinstance(record, Signals):
                signals = record
            elif not (isinstance(record, Drop) and self._plan.has_rules):
                others.append(record)
        return CuratedPage(
            cpu_before=page.decode.cpu + page.extract.cpu,
            page=page,
            language=language,
            signals=signals,
            rule_signals=signals,
            others=others,
        )

    def _identify_language(self, curated: CuratedPage) -> None:
        assert self._identifier is not None
        if curated.language is None:
            curated.language = self._identifier.identify(curated.page.row.text)

    def _measure(self, curated: CuratedPage) -> None:
        """Measure the signals, unless they are known and no row of fineweb2 changes their stop words."""
        row = self._fineweb2_row(curated.language)
        if curated.signals is not None and row is None:
            return
        spoken = ENGLISH if curated.language is None else curated.language.language
        words = None if spoken is None else stop_words(spoken)
        if row is not None:
            words = hashes_of(row.words)
        curated.rule_signals, curated.tokens = measure(curated.page.row.text, words)
        curated.signals = curated.signals or curated.rule_signals

    def _fineweb2_row(self, language: Language | None) -> LanguageRow | None:
        """Return the row of fineweb2 for a language; None if rules do not ask for it, or it has none."""
        table = self._plan.rules.languages
        if table is None or language is None:
            return None
        return table.rows.get(table.key_of(language.language, language.language_script))

    def _score(self, curated: CuratedPage) -> None:
        assert self._scorer is not None
        curated.scores.append(self._scorer.score(curated.page.row.text))

    def _ask_own_signals(self, works: list[CuratedPage]) -> None:
        assert self._own is not None
        inputs = []
        for curated in works:
            row, language = curated.page.row, curated.language
            inputs.append(
                SignalInput(
                    row.text,
                    row.url,
                    None if language is None else language.language,
                    curated.signals,
                )
            )
        for curated, answer in zip(works, self._own.of(inputs), strict=True):
            if isinstance(answer, RejectedError):
                curated.error = answer
            else:
                curated.scores.append(answer)

    def _count_tokens(self, works: list[CuratedPage]) -> None:
        assert self._token_counter is not None
        counts = self._token_counter.count([curated.page.row.text for curated in works])
        for curated, count in zip(works, counts, strict=True):
            curated.scores.append(count)
            spoken = None if curated.language is None else curated.language.language
            curated.token_counts = tuple(
                (f"{name} {spoken or 'unknown'}", int(number or 0)) for name, number in count.values.items()
            )

    def _find_failure(self, curated: CuratedPage) -> None:
        own: dict[str, Value | None] = {}
        for record in (*curated.others, *curated.scores):
            if isinstance(record, Own):
                own |= record.values
        records = (curated.page.row, *curated.annotations)

        def value(name: str) -> Value | None:
            if name in own:
                return own[name]
            return next((getattr(record, name) for record in records if hasattr(record, name)), None)

        curated.failure = self._plan.rules.first_failure(value, curated.rule_signals)
        if self._decontaminator is not None and (curated.failure is None or curated.failure.is_only_marked):
            curated.failure = self._decontaminator.find(curated.page.row.text) or curated.failure
        if self._plan.has_rules:
            curated.drop = Drop(None if curated.failure is None else curated.failure.reason)

    def _sign(self, curated: CuratedPage) -> None:
        failure = curated.failure
        if failure is not None and not failure.is_only_marked and self._plan.dropped != MARK:
            return  # it is no page any more
        row = curated.page.row
        keys, minima = sign_text(row.text) if curated.tokens is None else sign(curated.tokens)
        minhash = minima if self._plan.full_signatures else None
        curated.signature = SignatureRow(0, bytes.fromhex(row.text_digest), url_hash(row.url), keys, minhash)

    def _finished(self, curated: CuratedPage) -> ExtractedPage | Reject:
        """Return the row of a page, of `pages` or of `dropped`, or a reject."""
        page, failure = curated.page, curated.failure
        is_out = failure is not None and not failure.is_only_marked
        is_moved = is_out and self._plan.dropped == MOVE
        made = ExtractedPage(
            shard=page.shard,
            row=page.row,
            text_bytes=page.text_bytes,
            decode=page.decode,
            extract=page.extract,
            annotations=curated.annotations,
            signature=curated.signature,
            dropped_by=failure.rule if failure is not None and is_moved else None,
            filter=curated.cost,
            judged=self.presets_language(curated),
            tokens=curated.token_counts,
        )
        if curated.error is not None:
            reject = made.rejected(Stage.FILTER, curated.error.reason, curated.error.detail)
            return self.masked(reject)
        if failure is not None and is_out and self._plan.dropped == REJECT:
            return self.masked(made.rejected(Stage.FILTER, RejectReason.FILTERED, failure.reason))
        return masked_page(made, self._plan.mask)

    def masked(self, reject: Reject) -> Reject:
        """Return a reject, of this step or of one before, with its particulars masked."""
        return masked_reject(reject, self._plan.mask)
