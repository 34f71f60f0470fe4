"""Extractors scored on gold pages, with the decoding and the guard of the main job."""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cedar.transforms.decode.charset import decode_text
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.costs import clock
from cedar.transforms.model.texts import describe
from cedar.transforms.runtime.guard import EXTRACTORS, Guard
from cedar.transforms.runtime.guard_limits import DEFAULT_LIMITS, GuardFaultError, GuardLimits
from cedar.transforms.scoring import peers
from cedar.transforms.scoring.gold import GoldPage
from cedar.transforms.scoring.metrics import METRICS, NOTHING, Agreement, Gold, TextTokens


@dataclass(frozen=True, slots=True)
class Contestant:
    """An extractor that takes part.

    Attributes:
        label: its name in the results.
        name: its name; names of peers begin with `peer:`.
        options: all its options, canonical JSON.
        given: the options that the user gave.
    """

    label: str
    name: str
    options: str
    given: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def of(
        label: str, name: str, given: tuple[tuple[str, str], ...], *, body_only: bool = False
    ) -> "Contestant":
        """Make a contestant; raise ValueError for an unknown extractor or option, or a missing package."""
        if len(dict(given)) < len(given):
            raise ValueError(f"{label}: an option is given twice")
        if name.startswith(peers.PREFIX):
            record = peers.parse_options(name, dict(given))
        else:
            record = registry.parse_options(name, dict(given), body_only=body_only)
        return Contestant(label, name, registry.options_json(record), given)

    @property
    def is_peer(self) -> bool:
        """Whether the extractor is another package's."""
        return self.name.startswith(peers.PREFIX)

    @property
    def factory(self) -> str | None:
        """The factory that the page guard calls; None for extractors that need no guard."""
        if self.is_peer:
            return peers.FACTORY
        extractor = registry.get(self.name)
        return EXTRACTORS if extractor.is_guarded or extractor.is_loose else None


@dataclass(frozen=True, slots=True)
class ScorePlan:
    """The extractors and measures of an evaluation, and the limits of a page."""

    contestants: tuple[Contestant, ...]
    metrics: tuple[str, ...]
    limits: GuardLimits = DEFAULT_LIMITS


class GoldScorer:
    """The extractors of a plan, ready for pages; `close` ends their child processes."""

    def __init__(self, plan: ScorePlan) -> None:
        self._plan = plan
        self._methods = [Method(each, plan.limits) for each in plan.contestants]

    def scores(self, page: GoldPage) -> "Iterator[PageScore]":
        """Extract from a page and compare: yield a score for each extractor."""
        start = clock()
        html = decode_text(page.html, header_label=None, truncated=False).utf8
        decoding = (clock() - start).cpu
        gold = Gold(TextTokens.of(page.text), page.wanted, page.unwanted)
        packed = len(zlib.compress(html))
        for method in self._methods:
            found = method.run(html)
            text = found.text.encode()
            yield PageScore(
                set=page.set,
                page=page.id,
                url=page.url,
                lang=page.lang,
                page_type=page.page_type,
                extractor=method.label,
                agreements=self._agreements(found, gold),
                failure=found.failure,
                is_broken=method.broken is not None,
                fallback=found.fallback,
                cpu_seconds=decoding + found.cpu_seconds,
                html_bytes=len(html),
                text_bytes=len(text),
                html_packed=packed,
                text_packed=len(zlib.compress(text)),
            )

    def _agreements(self, found: "Outcome", gold: Gold) -> tuple[Agreement | None, ...]:
        if found.failure is not None:
            return (NOTHING,) * len(self._plan.metrics)
        tokens = TextTokens.of(found.text)
        return tuple(METRICS[name].function(tokens, gold) for name in self._plan.metrics)

    def close(self) -> None:
        """End the child processes."""
        for method in self._methods:
            method.close()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The text of a method on a page, or why there is none, and the method that stood in."""

    text: str
    failure: str | None
    fallback: str | None
    cpu_seconds: float


class Method:
    """An extractor that takes part, in a page guard if it needs one, with its CPU time.

    Attributes:
        broken: why it cannot run on any page, as if it cannot be imported; or None.
    """

    def __init__(self, contestant: Contestant, limits: GuardLimits) -> None:
        self.label, self.name = contestant.label, contestant.name
        self.broken: str | None = None
        self._guard: Guard | None = None
        self._seconds = limits.cpu_seconds
        self._extract: Callable[[bytes], Extraction]
        arguments = (contestant.name, contestant.options)
        if contestant.factory is None:
            self._extract = registry.bind(*arguments)
        else:
            self._guard = Guard(arguments, limits, contestant.factory)
            self._extract = self._guard.extract

    def run(self, html: bytes) -> Outcome:
        """Extract; an error is the failure of the page. Raises MemoryError."""
        if self.broken:
            return Outcome("", self.broken, None, 0.0)
        text, failure, fallback = "", None, None
        start, before = clock(), self._guard.cpu_seconds if self._guard else 0.0
        try:
            found = self._extract(html)
            text, fallback = found.text, found.fallback
        except MemoryError:
            raise  # the machine's fault, not the page's
        except GuardFaultError as error:
            failure = self.broken = str(error)
        except RejectedError as error:
            failure = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a page does to an extractor is its own failure
            failure = describe(error)
        cpu = self._guard.cpu_seconds - before if self._guard else 0.0
        # The guard's own time is not the method's.
        if self._guard is None:
            cpu += (clock() - start).cpu
        if failure is None and cpu > self._seconds:
            text, failure = "", f"{RejectReason.TIME_LIMIT.value}: {self._seconds:g} s of CPU time"
        return Outcome(text, failure, fallback, cpu)

    def close(self) -> None:
        """End the child process."""
        if self._guard is not None:
            self._guard.close()


@dataclass(frozen=True, slots=True)
class PageScore:
    """One extractor on one page of a set.

    Attributes:
        agreements: by measure, in the order asked for; None if the gold has nothing for the measure.
        failure: why there is no extraction, or None; then everything agrees to 0.
        fallback: the method that stood in, and why, or None.
        cpu_seconds: CPU time of decoding and extracting.
        html_bytes: bytes of the page; `html_packed`: deflated.
        text_bytes: bytes of the extraction in UTF-8; `text_packed`: deflated.
        is_broken: whether the extractor cannot run on any page.
    """

    set: str
    page: str
    url: str | None
    lang: str | None
    page_type: str | None
    extractor: str
    agreements: tuple[Agreement | None, ...]
    failure: str | None
    fallback: str | None
    cpu_seconds: float
    html_bytes: int
    text_bytes: int
    html_packed: int
    text_packed: int
    is_broken: bool = False
