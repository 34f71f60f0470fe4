"""The extractors by name, with their papers and options."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import cast

from transforms.extractors import options
from transforms.extractors.extraction import Extraction
from transforms.extractors.options import Options, OptionSpec
from transforms.model.caps import DEFAULT_CAPS, Caps


@dataclass(frozen=True, slots=True)
class Extractor:
    """One method.

    Attributes:
        name: its name.
        paper: where it was published, or "" for a reference line.
        summary: what it does, one line.
        module: where it is, under `transforms.extractors`; imported when the method is asked for, since a
            run needs one of them.
        options_name: the class of its options record there.
        function_name: the function there.
        builds_tree: it parses pages into trees in C code, which only a killable child bounds.
        is_confident: it says how sure it is, in the metrics.
    """

    name: str
    paper: str
    summary: str
    module: str
    options_name: str
    function_name: str
    builds_tree: bool = False
    is_confident: bool = False

    @property
    def options(self) -> type[Options]:
        """Class of its options record."""
        return cast("type[Options]", getattr(self._imported, self.options_name))

    @property
    def function(self) -> Callable[..., Extraction]:
        """From a page (valid UTF-8 without a byte-order mark) and options of that class to an extraction.

        Those that build a tree take the caps, too.
        """
        return cast("Callable[..., Extraction]", getattr(self._imported, self.function_name))

    @property
    def _imported(self) -> ModuleType:
        return importlib.import_module(f"transforms.extractors.{self.module}")

    @property
    def option_specs(self) -> tuple[OptionSpec, ...]:
        """Its options as people see them."""
        return options.specs(self.options)


_CETR_PAPER = "Weninger, Hsu, Han: CETR - Content Extraction via Tag Ratios, WWW 2010"

_TTR_PAPER = "Weninger, Hsu: Text Extraction from the Web via Text-to-Tag Ratio, DEXA workshops 2008"

_CCB_PAPER = "Gottron: Content Code Blurring: a new approach to content extraction, ICDIM 2008"

_CETD_PAPER = "Sun, Song, Liao: DOM Based Content Extraction via Text Density, SIGIR 2011"

_EXTRACTORS = (
    Extractor(
        "cetr",
        _CETR_PAPER,
        "k-means over smoothed tag ratios and their derivative, one centroid pinned to the origin",
        "lines.cetr",
        "CetrOptions",
        "cetr",
    ),
    Extractor(
        "cetr-tm",
        _CETR_PAPER,
        "lines whose smoothed tag ratio reaches a multiple of the standard deviation",
        "lines.cetr",
        "ThresholdOptions",
        "cetr_tm",
    ),
    Extractor(
        "cetr-km",
        _CETR_PAPER,
        "k-means over smoothed tag ratios, all clusters but the lowest",
        "lines.cetr",
        "KMeansOptions",
        "cetr_km",
    ),
    Extractor(
        "keep-all",
        "",
        "all text but comments, scripts and styles: the line every method must beat",
        "lines.keep_all",
        "KeepAllOptions",
        "keep_all",
    ),
    Extractor(
        "cetd-ds",
        _CETD_PAPER,
        "subtrees of the largest sum of text densities, down from the body",
        "tree.cetd",
        "CetdDsOptions",
        "cetd_ds",
        builds_tree=True,
    ),
    Extractor(
        "ttr-t",
        _TTR_PAPER,
        "lines whose averaged tag ratio reaches a multiple of the standard deviation",
        "lines.ttr",
        "ThresholdOptions",
        "ttr_t",
    ),
    Extractor(
        "ttr-km",
        _TTR_PAPER,
        "k-means over averaged tag ratios, the clusters above the standard deviation",
        "lines.ttr",
        "ClusterOptions",
        "ttr_km",
    ),
    Extractor(
        "ttr-em",
        _TTR_PAPER,
        "a mixture of Gaussians over averaged tag ratios, the components above the standard deviation",
        "lines.ttr",
        "ClusterOptions",
        "ttr_em",
    ),
    Extractor(
        "ttr-ff",
        _TTR_PAPER,
        "farthest-first clusters of averaged tag ratios, those above the standard deviation",
        "lines.ttr",
        "ClusterOptions",
        "ttr_ff",
    ),
    Extractor(
        "ttr-p",
        _TTR_PAPER,
        "lines from each jump of the tag ratio over those before to a drop of those behind",
        "lines.ttr",
        "PredictionOptions",
        "ttr_p",
    ),
    Extractor(
        "bte",
        "Finn, Kushmerick, Smyth: Fact or fiction: content classification for digital libraries, DELOS 2001",
        "the one stretch of the page with most words and fewest tags",
        "tokens.bte",
        "BteOptions",
        "bte",
    ),
    Extractor(
        "dsc",
        "Pinto et al.: QuASM: a system for question answering using semi-structured data, JCDL 2002",
        "sections of the page where the curve of tags over tokens is flat; parameters are our choice",
        "tokens.dsc",
        "DscOptions",
        "dsc",
    ),
    Extractor(
        "adsc",
        "Gottron: Evaluating content extraction on HTML documents, ITA 2007",
        "windows of tokens with more words than tags; parameters are our choice",
        "tokens.dsc",
        "AdscOptions",
        "adsc",
    ),
    Extractor(
        "ccb",
        _CCB_PAPER,
        "text whose surroundings, blurred, are mostly text; parameters are our choice",
        "tokens.ccb",
        "CcbOptions",
        "ccb",
    ),
    Extractor(
        "accb",
        _CCB_PAPER,
        "the same, links not counted as tags; parameters are our choice",
        "tokens.ccb",
        "CcbOptions",
        "accb",
    ),
    Extractor(
        "mss",
        "after Pasternack, Roth: Extracting article text from the web with maximum subsequence segmentation,"
        " WWW 2009",
        "the maximum subsequence of fixed scores for words and tags: the paper's method without its training",
        "tokens.mss",
        "MssOptions",
        "mss",
    ),
    Extractor(
        "cectd-ds",
        _CETD_PAPER,
        "the same with composite text densities, which are low where links are many",
        "tree.cetd",
        "CectdDsOptions",
        "cectd_ds",
        builds_tree=True,
    ),
    Extractor(
        "cectd-s",
        _CETD_PAPER,
        "elements whose composite text density, smoothed over siblings, reaches the body's",
        "tree.cetd",
        "CectdOptions",
        "cectd_s",
        builds_tree=True,
    ),
    Extractor(
        "coreex",
        "Prasad, Paepcke: CoreEx - Content Extraction from Online News Articles, CIKM 2008",
        "the children with few links of the element that has most text and fewest links in such children",
        "tree.coreex",
        "CoreExOptions",
        "coreex",
        builds_tree=True,
    ),
    Extractor(
        "lqf",
        "Mantratzis, Orgun, Cassidy: Separating XHTML Content from Navigation Clutter, Hypertext 2005",
        "all but block-level elements with most of their characters in links",
        "tree.lqf",
        "LqfOptions",
        "lqf",
        builds_tree=True,
    ),
    Extractor(
        "lp",
        "Bar-Yossef, Rajagopalan: Template Detection via Data Mining, WWW 2002",
        "the pagelet with most text: largest element without a child rich in links (from memory)",
        "tree.lp",
        "LpOptions",
        "lp",
        builds_tree=True,
    ),
    Extractor(
        "lsi",
        "Buttler, Liu, Pu: A Fully Automated Object Extraction System, ICDCS 2001",
        "the subtree with most text beyond the mean of its children (from memory)",
        "tree.lsi",
        "LsiOptions",
        "lsi",
        builds_tree=True,
    ),
    Extractor(
        "fe",
        "Debnath, Mitra, Pal, Giles: Identification of Informative Sections of Web Pages, TKDE 2005",
        "blocks in which text outweighs links, images, lists, forms and objects (in outline)",
        "tree.fe",
        "FeOptions",
        "fe",
        builds_tree=True,
    ),
    Extractor(
        "kfe",
        "Debnath, Mitra, Pal, Giles: Identification of Informative Sections of Web Pages, TKDE 2005",
        "k-means over such blocks, the cluster with most text (in outline)",
        "tree.fe",
        "KfeOptions",
        "kfe",
        builds_tree=True,
    ),
    Extractor(
        "combine",
        "after Gottron: Combining Content Extraction Heuristics, iiWAS 2008",
        "texts for which several methods vote",
        "tree.combine",
        "CombineOptions",
        "combine",
        builds_tree=True,
    ),
    Extractor(
        "cedar",
        "",
        "blocks scored by a small learned table over the papers' signals; the set of the best expected F1",
        "cedar.cedar",
        "CedarOptions",
        "cedar",
        is_confident=True,
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


def bind(name: str, options_text: str, caps_text: str = "{}") -> Callable[[bytes], Extraction]:
    """Extractor `name` with the options that `options_json` wrote: from a page of valid UTF-8.

    For a page whose tree libxml2 cannot hold, the default line method stands in, and the result says so.

    Args:
        name: the extractor.
        options_text: its options.
        caps_text: caps as JSON; those that it does not name have their defaults.

    Raises:
        ValueError: an unknown extractor or option, or a value that is not allowed.
    """
    extractor = get(name)
    record = parse_options(name, json.loads(options_text))
    caps = Caps.of(caps_text)
    return lambda html: run(extractor, html, record, caps)


def run(extractor: Extractor, html: bytes, record: Options, caps: Caps = DEFAULT_CAPS) -> Extraction:
    """Extract from a page of valid UTF-8; see `bind` for what becomes of trees that are too large."""
    if not extractor.builds_tree:
        return extractor.function(html, record)
    # What only trees need is not imported for the others.
    from transforms.extractors.tree.limits import TreeLimitError

    try:
        return extractor.function(html, record, caps)
    except TreeLimitError as limit:
        stand_in = _EXTRACTORS[0]
        found = stand_in.function(html, stand_in.options())
        return replace(found, fallback=f"{stand_in.name}: {limit}")
