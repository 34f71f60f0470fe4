"""`ScorePages`: gold pages to scores, through the same decoding and guard as the main job."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import apache_beam as beam

from transforms.decode.charset import decode_text
from transforms.extractors import registry
from transforms.extractors.extraction import Extraction
from transforms.extractors.vips.browsers import wants_browser
from transforms.model.books import RejectedError, RejectReason
from transforms.model.texts import describe
from transforms.model.timing import clock
from transforms.runtime.chromium import Browser
from transforms.runtime.guard import EXTRACTORS, Guard
from transforms.runtime.guard_limits import DEFAULT_LIMITS, GuardFaultError, GuardLimits
from transforms.runtime.heartbeat import Board, Progress, Slot, StoppedError
from transforms.runtime.rendered import RenderingGuard
from transforms.scoring import oracles, peers, wet
from transforms.scoring.agreement import NOTHING, Agreement
from transforms.scoring.gold import GoldPage, GoldSet
from transforms.scoring.metrics import METRICS, Gold, TextTokens
from transforms.scoring.page_score import PageScore
from transforms.scoring.variants import ORIGINAL, apply


@dataclass(frozen=True, slots=True)
class Contestant:
    """An extractor with its options, canonical JSON, as it takes part; `given` are those that were asked for.

    Peers have the prefix `peer:`, and `oracles.NAME` chooses by the gold; results call it by its label.
    """

    label: str
    name: str
    options: str
    given: tuple[tuple[str, str], ...] = ()

    @property
    def factory(self) -> str | None:
        """What the page guard calls to make it, or None where it needs none, as Cedar's linear methods."""
        if self.name == wet.NAME:
            return None
        if self.name.startswith(peers.PREFIX):
            return peers.FACTORY
        if self.name == oracles.NAME:
            return oracles.FACTORY
        extractor = registry.get(self.name)
        return EXTRACTORS if extractor.is_guarded or extractor.is_loose else None


@dataclass(frozen=True, slots=True)
class ScorePlan:
    """What is to be measured: extractors by measures, on forms of the pages, within limits of the guard.

    `browser` is the command of the browser that lays pages out for methods that want one; empty = none does.
    """

    contestants: tuple[Contestant, ...]
    metrics: tuple[str, ...]
    variants: tuple[str, ...] = (ORIGINAL,)
    limits: GuardLimits = DEFAULT_LIMITS
    browser: tuple[str, ...] = ()


class ReadGold(beam.DoFn):
    """(GoldSet, numbers of pages) -> its GoldPages."""

    def process(self, element: tuple[GoldSet, tuple[int, ...]]) -> Iterator[GoldPage]:
        """Read."""
        gold_set, wanted = element
        yield from gold_set.read(wanted)


class ScorePages(beam.DoFn):
    """GoldPage -> a PageScore for each form and extractor."""

    def __init__(self, plan: ScorePlan, heartbeat: Slot | None = None) -> None:
        self._plan = plan
        self._heartbeat = heartbeat
        self._board: Board | None = None
        self._methods: list[_Method] = []

    def setup(self) -> None:
        """Make the extractors."""
        self._board = Board(self._heartbeat.path) if self._heartbeat else None
        self._methods = [_Method(each, self._plan) for each in self._plan.contestants]

    def process(self, page: GoldPage) -> Iterator[PageScore]:
        """Extract and compare; raise StoppedError where the user said so."""
        if self._board is not None and self._board.stopping:
            raise StoppedError
        start = clock()
        decoded = decode_text(page.html, header_label=None, truncated=False).utf8
        decoding = (clock() - start).cpu
        gold = Gold(TextTokens.of(page.text), page.wanted, page.unwanted)
        for variant in self._plan.variants:
            html = apply(variant, decoded)
            html_packed = len(zlib.compress(html))
            for method in self._methods:
                yield self._score(page, gold, variant, method, html, html_packed, decoding)
        if self._board is not None and self._heartbeat is not None:
            self._board.add(self._heartbeat.index, Progress(pages=1))

    def _score(
        self,
        page: GoldPage,
        gold: Gold,
        variant: str,
        method: _Method,
        html: bytes,
        html_packed: int,
        decoding: float,
    ) -> PageScore:
        found = method.run(page, html)
        if method.is_oracle:
            union = oracles.best_union(found.text, gold.tokens)
            found = replace(found, text=union.text, is_bound=not union.is_best)
        text = found.text.encode()
        agreements: tuple[Agreement | None, ...]
        if found.failure is None:
            tokens = TextTokens.of(found.text)
            agreements = tuple(METRICS[name].function(tokens, gold) for name in self._plan.metrics)
        else:
            agreements = (NOTHING,) * len(self._plan.metrics)
        return PageScore(
            set=page.set,
            page=page.id,
            url=page.url,
            lang=page.lang,
            page_type=page.page_type,
            variant=variant,
            extractor=method.label,
            agreements=agreements,
            failure=found.failure,
            fallback=found.fallback,
            cpu_seconds=decoding + found.cpu_seconds,
            html_bytes=len(html),
            text_bytes=len(text),
            html_packed=html_packed,
            text_packed=len(zlib.compress(text)),
            is_bound=found.is_bound,
        )

    def teardown(self) -> None:
        """Send the guards' children home."""
        for method in self._methods:
            method.close()
        if self._board is not None:
            self._board.close()


_NO_TEXT = "the WET file has no text of its record_id"


@dataclass(frozen=True, slots=True)
class _Outcome:
    text: str
    failure: str | None
    fallback: str | None
    cpu_seconds: float
    is_bound: bool = False


class _Method:
    """An extractor, guarded if it has to be, with a clock."""

    def __init__(self, contestant: Contestant, plan: ScorePlan) -> None:
        self.label = contestant.label
        self.is_oracle = contestant.name == oracles.NAME
        self._guard: Guard | RenderingGuard | None = None
        self._texts: Mapping[str, str] | None = None
        self._seconds = plan.limits.cpu_seconds
        self._extract: Callable[[bytes], Extraction]
        if contestant.name == wet.NAME:
            self._texts = wet.read_texts(json.loads(contestant.options)["file"])
        elif contestant.factory is None:
            self._extract = registry.bind(contestant.name, contestant.options)
        else:
            arguments = (contestant.name, contestant.options)
            if wants_browser(*arguments):
                self._guard = RenderingGuard(arguments, plan.limits, Browser(plan.browser))
            else:
                self._guard = Guard(arguments, plan.limits, contestant.factory)
            self._extract = self._guard.extract

    def run(self, page: GoldPage, html: bytes) -> _Outcome:
        """Extract; what goes wrong on a page is its failure."""
        if self._texts is not None:
            known = self._texts.get(page.record_id or "")
            return _Outcome(known or "", None if known is not None else _NO_TEXT, None, 0.0)
        text, failure, fallback = "", None, None
        start, before = clock(), self._guard.cpu_seconds if self._guard else 0.0
        try:
            found = self._extract(html)
            text, fallback = found.text, found.fallback
        except (MemoryError, GuardFaultError):
            raise  # the machine's fault, not the page's
        except RejectedError as error:
            failure = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a page does to an extractor is its own failure
            failure = describe(error)
        # What the guard itself takes is not part of the method.
        cpu = self._guard.cpu_seconds - before if self._guard else (clock() - start).cpu
        if failure is None and cpu > self._seconds:
            text, failure = "", f"{RejectReason.TIME_LIMIT.value}: {self._seconds:g} s of CPU time"
        return _Outcome(text, failure, fallback, cpu)

    def close(self) -> None:
        if self._guard is not None:
            self._guard.close()
