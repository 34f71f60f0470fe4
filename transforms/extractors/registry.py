"""The extractors by name, with their papers and options."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from transforms.extractors import cedar, cetd, cetr, keep_all, options
from transforms.extractors.dom_limits import TreeLimitError
from transforms.extractors.extraction import Extraction
from transforms.extractors.options import Options, OptionSpec


@dataclass(frozen=True, slots=True)
class Extractor:
    """One method.

    Attributes:
        name: its name.
        paper: where it was published, or "" for a reference line.
        summary: what it does, one line.
        options: class of its options record.
        function: from a page (valid UTF-8 without a byte-order mark) and options to an extraction; takes
            options of the class above.
        builds_tree: it parses pages into trees in C code, which only a killable child bounds.
    """

    name: str
    paper: str
    summary: str
    options: type[Options]
    function: Callable[[bytes, Any], Extraction]
    builds_tree: bool = False

    @property
    def option_specs(self) -> tuple[OptionSpec, ...]:
        """Its options as people see them."""
        return options.specs(self.options)


_CETR_PAPER = "Weninger, Hsu, Han: CETR - Content Extraction via Tag Ratios, WWW 2010"

_EXTRACTORS = (
    Extractor(
        "cetr",
        _CETR_PAPER,
        "k-means over smoothed tag ratios and their derivative, one centroid pinned to the origin",
        cetr.CetrOptions,
        cetr.cetr,
    ),
    Extractor(
        "cetr-tm",
        _CETR_PAPER,
        "lines whose smoothed tag ratio reaches a multiple of the standard deviation",
        cetr.ThresholdOptions,
        cetr.cetr_tm,
    ),
    Extractor(
        "cetr-km",
        _CETR_PAPER,
        "k-means over smoothed tag ratios, all clusters but the lowest",
        cetr.KMeansOptions,
        cetr.cetr_km,
    ),
    Extractor(
        "keep-all",
        "",
        "all text but comments, scripts and styles: the line every method must beat",
        keep_all.KeepAllOptions,
        keep_all.keep_all,
    ),
    Extractor(
        "cetd-ds",
        "Sun, Song, Liao: DOM Based Content Extraction via Text Density, SIGIR 2011",
        "subtrees of the largest sum of text densities, down from the body",
        cetd.CetdOptions,
        cetd.cetd_ds,
        builds_tree=True,
    ),
    Extractor(
        "cedar",
        "",
        "blocks scored by a small learned table over the papers' signals; the set of the best expected F1",
        cedar.CedarOptions,
        cedar.cedar,
    ),
)


def names() -> tuple[str, ...]:
    """The extractors' names; the default first."""
    return tuple(extractor.name for extractor in _EXTRACTORS)


def get(name: str) -> Extractor:
    """The extractor called `name`.

    Raises:
        ValueError: there is none; the message lists those there are.
    """
    for extractor in _EXTRACTORS:
        if extractor.name == name:
            return extractor
    raise ValueError(f"unknown extractor {name!r}; there are: {', '.join(names())}")


def parse_options(name: str, given: Mapping[str, object]) -> Options:
    """The options record of extractor `name` made from names and values; see `options.parse`.

    Args:
        name: the extractor.
        given: values by option name; strings are converted by the option's type.

    Raises:
        ValueError: an unknown extractor or option, or a value that is not allowed.
    """
    return options.parse(name, get(name).options, given)


def options_json(record: Options) -> str:
    """An options record as canonical JSON: all options, sorted, compact."""
    return options.canonical_json(record)


def bind(name: str, options_text: str) -> Callable[[bytes], Extraction]:
    """Extractor `name` with the options that `options_json` wrote: from a page of valid UTF-8.

    For a page whose tree libxml2 cannot hold, the default line method stands in, and the result says so.

    Raises:
        ValueError: an unknown extractor or option, or a value that is not allowed.
    """
    extractor = get(name)
    record = parse_options(name, json.loads(options_text))
    return lambda html: run(extractor, html, record)


def run(extractor: Extractor, html: bytes, record: Options) -> Extraction:
    """Extract from a page of valid UTF-8; see `bind` for what becomes of trees that are too large."""
    try:
        return extractor.function(html, record)
    except TreeLimitError as limit:
        stand_in = _EXTRACTORS[0]
        found = stand_in.function(html, stand_in.options())
        return replace(found, fallback=f"{stand_in.name}: {limit}")
