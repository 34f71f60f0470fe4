"""Extractors on gold pages, through the same decoding and guard as the main job: a score for each."""

import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from cedar.transforms.decode.charset import decode_text
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.markdown.making import markdown_of
from cedar.transforms.model._cost import clock
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.model.texts import describe
from cedar.transforms.runtime.guard import EXTRACTORS, Guard
from cedar.transforms.runtime.guard_limits import DEFAULT_LIMITS, GuardFaultError, GuardLimits
from cedar.transforms.scoring import oracles, peers, readability_js
from cedar.transforms.scoring.gold import GoldPage
from cedar.transforms.scoring.metrics import METRICS, NOTHING, Agreement, Gold, TextTokens
from cedar.transforms.scoring.variants import ORIGINAL, apply


@dataclass(frozen=True, slots=True)
class Contestant:
    """An extractor with its options, canonical JSON, as it takes part; `given` are those that were asked for.

    Peers have the prefix `peer:`, and `oracles.NAME` chooses by the gold; results call it by its label. What
    it makes of a page is text, or Markdown.
    """

    label: str
    name: str
    options: str
    given: tuple[tuple[str, str], ...] = ()
    writes_markdown: bool = False

    @staticmethod
    def of(
        label: str,
        name: str,
        given: tuple[tuple[str, str], ...],
        *,
        body_only: bool = False,
        writes_markdown: bool = False,
    ) -> "Contestant":
        """Make one that takes part; raise ValueError for what is unknown, not installed, or cannot."""
        if len(dict(given)) < len(given):
            raise ValueError(f"{label}: an option is given twice")
        if name == oracles.NAME and not writes_markdown:
            label, record = label + oracles.MARK, oracles.parse_options(dict(given))
        elif name.startswith(peers.PREFIX):
            record = peers.known(writes_markdown=writes_markdown).parse_options(name, dict(given))
        else:
            if writes_markdown:
                registry.check_markdown(registry.get(name))
            record = registry.parse_options(name, dict(given), body_only=body_only)
        return Contestant(label, name, registry.options_json(record), given, writes_markdown)

    @property
    def is_peer(self) -> bool:
        """Whether it is by others."""
        return self.name.startswith(peers.PREFIX)

    @property
    def factory(self) -> str | None:
        """What the page guard calls to make it, or None where it needs none, as Cedar's linear methods."""
        if self.name in (peers.WET, readability_js.NAME):
            return None
        if self.is_peer:
            return peers.known(writes_markdown=self.writes_markdown).factory
        if self.name == oracles.NAME:
            return oracles.FACTORY
        extractor = registry.get(self.name)
        is_loose = extractor.is_loose and not self.writes_markdown
        return EXTRACTORS if extractor.is_guarded or is_loose else None


@dataclass(frozen=True, slots=True)
class ScorePlan:
    """What is to be measured: extractors by measures, on forms of the pages, within limits of the guard."""

    contestants: tuple[Contestant, ...]
    metrics: tuple[str, ...]
    variants: tuple[str, ...] = (ORIGINAL,)
    limits: GuardLimits = DEFAULT_LIMITS


class GoldScorer:
    """The extractors of a plan, ready for pages; `close` ends their children."""

    def __init__(self, plan: ScorePlan) -> None:
        self._plan = plan
        self._methods = [Method(each, plan.limits) for each in plan.contestants]

    def scores(self, page: GoldPage) -> "Iterator[PageScore]":
        """Extract from a page and compare: yield a score for each form and extractor."""
        start = clock()
        decoded = decode_text(page.html, header_label=None, truncated=False).utf8
        decoding = (clock() - start).cpu
        gold = Gold(TextTokens.of(page.text), page.wanted, page.unwanted)
        for variant in self._plan.variants:
            html = apply(variant, decoded)
            packed = len(zlib.compress(html))
            for method in self._methods:
                found = method.run(page, html)
                if method.name == oracles.NAME:
                    chosen, is_best = oracles.best_union(found.text, gold.tokens)
                    found = replace(found, text=chosen, is_bound=not is_best)
                text = found.text.encode()
                yield PageScore(
                    set=page.set,
                    page=page.id,
                    url=page.url,
                    lang=page.lang,
                    page_type=page.page_type,
                    variant=variant,
                    extractor=method.label,
                    agreements=self._agreements(found, gold),
                    failure=found.failure,
                    fallback=found.fallback,
                    cpu_seconds=decoding + found.cpu_seconds,
                    html_bytes=len(html),
                    text_bytes=len(text),
                    html_packed=packed,
                    text_packed=len(zlib.compress(text)),
                    is_bound=found.is_bound,
                )

    def _agreements(self, found: "Outcome", gold: Gold) -> tuple[Agreement | None, ...]:
        if found.failure is not None:
            return (NOTHING,) * len(self._plan.metrics)
        tokens = TextTokens.of(found.text)
        return tuple(METRICS[name].function(tokens, gold) for name in self._plan.metrics)

    def close(self) -> None:
        """Send the guards' children home."""
        for method in self._methods:
            method.close()


_NO_TEXT = "the WET file has no text of its record_id"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method made of a page, or why nothing, and which method stood in for it."""

    text: str
    failure: str | None
    fallback: str | None
    cpu_seconds: float
    is_bound: bool = False


class Method:
    """An extractor that takes part, guarded if it has to be, with a clock."""

    def __init__(self, contestant: Contestant, limits: GuardLimits) -> None:
        self.label, self.name = contestant.label, contestant.name
        self._guard: Guard | readability_js.Node | None = None
        self._texts: Mapping[str, str] | None = None
        self._seconds = limits.cpu_seconds
        self._converts = contestant.writes_markdown and not contestant.is_peer
        self._extract: Callable[[bytes], Extraction]
        arguments = (contestant.name, contestant.options)
        if contestant.name == peers.WET:
            self._texts = peers.read_texts(json.loads(contestant.options)["file"])
        elif contestant.name == readability_js.NAME:
            self._guard = readability_js.Node(json.loads(contestant.options)["directory"], limits)
            self._extract = self._guard.extract
        elif contestant.factory is None:
            self._extract = registry.bind(*arguments)
        else:
            self._guard = Guard(arguments, limits, contestant.factory)
            self._extract = self._guard.extract

    def run(self, page: GoldPage, html: bytes) -> Outcome:
        """Extract; what goes wrong on a page is its failure."""
        if self._texts is not None:
            known = self._texts.get(page.record_id or "")
            return Outcome(known or "", None if known is not None else _NO_TEXT, None, 0.0)
        text, failure, fallback = "", None, None
        start, before = clock(), self._guard.cpu_seconds if self._guard else 0.0
        try:
            found = self._extract(html)
            text, fallback = found.text, found.fallback
            if self._converts:
                text = markdown_of(found, MarkdownOptions(), page.url) or ""
        except (MemoryError, GuardFaultError):
            raise  # the machine's fault, not the page's
        except RejectedError as error:
            failure = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a page does to an extractor is its own failure
            failure = describe(error)
        cpu = self._guard.cpu_seconds - before if self._guard else 0.0
        # What the guard itself takes is not part of the method.
        if self._guard is None or self._converts:
            cpu += (clock() - start).cpu
        if failure is None and cpu > self._seconds:
            text, failure = "", f"{RejectReason.TIME_LIMIT.value}: {self._seconds:g} s of CPU time"
        return Outcome(text, failure, fallback, cpu)

    def close(self) -> None:
        """Send the guard's children home."""
        if self._guard is not None:
            self._guard.close()


@dataclass(frozen=True, slots=True)
class PageScore:
    """One extractor on one page of a set, in one form (see `variants`).

    Attributes:
        agreements: by measure, in the order asked for; None where the gold has nothing for the measure.
        failure: why there is no extraction, or None; then everything agrees to 0.
        fallback: the method that stood in, and why, or None.
        cpu_seconds: CPU time of decoding and extracting.
        html_bytes: bytes of the page's form; `html_packed`: deflated.
        text_bytes: bytes of the extraction in UTF-8; `text_packed`: deflated.
        is_bound: whether it is chosen by the gold, and a better choice is not ruled out.
    """

    set: str
    page: str
    url: str | None
    lang: str | None
    page_type: str | None
    variant: str
    extractor: str
    agreements: tuple[Agreement | None, ...]
    failure: str | None
    fallback: str | None
    cpu_seconds: float
    html_bytes: int
    text_bytes: int
    html_packed: int
    text_packed: int
    is_bound: bool = False
