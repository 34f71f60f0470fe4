"""`cedar.evaluate`: pages with their gold in, a record for each page and extractor out."""

from argparse import ArgumentTypeError
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain
from os import PathLike, fspath
from typing import Any

from cedar.pipelines.common.shared_options import read_extractor
from cedar.transforms.extractors import registry
from cedar.transforms.model.texts import describe
from cedar.transforms.runtime.guard_limits import DEFAULT_LIMITS, GuardLimits
from cedar.transforms.scoring.contest import Contestant, GoldScorer, PageScore, ScorePlan
from cedar.transforms.scoring.gold import GoldPage, GoldSet, from_mapping
from cedar.transforms.scoring.metrics import METRICS


def evaluate(
    pages: str | PathLike[str] | Iterable[Mapping[str, Any]],
    extractors: Iterable[str] = (registry.DEFAULT,),
    *,
    metric: str = "lcs",
    body_only: bool = False,
    timeout: float = DEFAULT_LIMITS.cpu_seconds,
) -> list[dict[str, Any]]:
    """Score extractors on pages whose text is known, in this process.

    Args:
        pages: the path of a gold set, as `cedar evaluate` takes it; or mappings with `html` (str or bytes),
            `text` (the gold), and, if known, `id`, `url`, `lang`, `page_type`, `with`, `without`.
        extractors: names, with options if wanted: `cetr:smoothing=literal,k=4`, `peer:trafilatura`.
        metric: a measure, such as `lcs` or `bag-lower`.
        body_only: leave headline, comments and captions out, if the extractor can.
        timeout: seconds of CPU time that an extractor may take for a page; after that it scores 0.

    Returns:
        A record for each page and extractor, which `pandas.DataFrame` and `polars.DataFrame` take: `set`,
        `page`, `url`, `lang`, `page_type`, `extractor`, `precision`, `recall`, `f1` (None if the gold has
        nothing for the measure), `cpu_ms`, and `failure` (why there is no text; such a page scores 0).

    Raises ValueError: an unknown extractor, option or measure; a page without gold; no gold at the path.
    """
    if metric not in METRICS:
        raise ValueError(f"unknown metric {metric!r}; there are: {', '.join(METRICS)}")
    contestants = []
    for text in (extractors,) if isinstance(extractors, str) else extractors:
        if not isinstance(text, str):
            raise ValueError(
                f"{text!r} is no name of an extractor: write 'cetr', or 'package.module:function'"
            )
        try:
            choice = read_extractor(text)
        except ArgumentTypeError as fault:
            raise ValueError(str(fault)) from None
        contestants.append(Contestant.of(choice.label, choice.name, choice.options, body_only=body_only))
    plan = ScorePlan(tuple(contestants), (metric,), GuardLimits(timeout, DEFAULT_LIMITS.memory_bytes))
    with closing(GoldScorer(plan)) as scorer:
        return [_record(score) for score in chain.from_iterable(map(scorer.scores, _gold_pages(pages)))]


def _gold_pages(pages: str | PathLike[str] | Iterable[Mapping[str, Any]]) -> Iterator[GoldPage]:
    if isinstance(pages, str | PathLike):
        gold_set = GoldSet.at(fspath(pages))
        yield from gold_set.read(range(gold_set.count()))
        return
    if isinstance(pages, Mapping):
        raise ValueError("one page alone: put it into a list, as [page]")
    for number, page in enumerate(pages):
        if not isinstance(page, Mapping):
            raise ValueError(f"page {number}: give a mapping with 'html' and 'text', not {describe(page)}")
        try:
            yield from_mapping("pages", str(page.get("id", number)), page)
        except ValueError as error:
            raise ValueError(f"page {number}: {error}") from None


def _record(score: PageScore) -> dict[str, Any]:
    shares = score.agreements[0]
    return {
        **{name: getattr(score, name) for name in ("set", "page", "url", "lang", "page_type", "extractor")},
        "precision": None if shares is None else shares.precision,
        "recall": None if shares is None else shares.recall,
        "f1": None if shares is None else shares.f1,
        "cpu_ms": score.cpu_seconds * 1e3,
        "failure": score.failure,
    }
