"""Extractors by others, for comparison: `peer:NAME`. Their packages are the extra `cedar-corpus[peers]`.

Each is called as its documentation says, on the page as Cedar decodes it; what it calls text is its text.
"""

from __future__ import annotations

import importlib.util
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from transforms.extractors import options
from transforms.extractors.extraction import NO_METRICS, Extraction
from transforms.extractors.options import About, Options
from transforms.model.extras import install_command
from transforms.scoring import wet

PREFIX = "peer:"
FACTORY = "transforms.scoring.peers:bind"
"""What the page guard calls for a peer; see `transforms.runtime.guard`."""

EXTRA = "peers"

Method = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOptions:
    """A peer without options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResiliparseOptions:
    """Options of resiliparse."""

    comments: Annotated[bool, About("keep what looks like comments")] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafilaturaOptions:
    """Options of trafilatura."""

    mode: Annotated[
        Literal["default", "fast", "precision", "recall"], About("its own modes; fast is without fallbacks")
    ] = "default"
    comments: Annotated[bool, About("keep comments")] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class JustextOptions:
    """Options of jusText."""

    language: Annotated[
        Literal["English", "German", "French", "Spanish", "Russian", "Arabic", "Hindi", "any"],
        About("whose stop words it looks for; any = none, by length and links alone"),
    ] = "English"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoilerpyOptions:
    """Options of BoilerPy3."""

    model: Annotated[Literal["article", "default", "largest", "keep-everything"], About("its extractor")] = (
        "article"
    )


@dataclass(frozen=True, slots=True)
class Peer:
    """An extractor by others: its name after `peer:`, the module that must be installed, and its options.

    `make` imports it and gives the function from a page's source to its text.
    """

    name: str
    module: str
    options: type[Options]
    make: Callable[[Any], Method]


def _resiliparse(given: ResiliparseOptions) -> Method:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda page: str(
        extract_plain_text(page, main_content=True, alt_texts=False, comments=given.comments)
    )


def _trafilatura(given: TrafilaturaOptions) -> Method:
    import trafilatura

    modes: Mapping[str, Mapping[str, Any]] = {
        "default": {},
        "fast": {"fast": True},
        "precision": {"favor_precision": True},
        "recall": {"favor_recall": True},
    }
    chosen = modes[given.mode]
    return lambda page: trafilatura.extract(page, include_comments=given.comments, **chosen) or ""


def _readability(_: NoOptions) -> Method:
    import lxml.html
    import readability

    def extract(page: str) -> str:
        summary = readability.Document(page).summary(html_partial=True)
        return "\n".join(lxml.html.fromstring(summary).itertext()) if summary.strip() else ""

    return extract


def _justext(given: JustextOptions) -> Method:
    import justext

    if given.language == "any":
        return lambda page: _paragraphs(
            justext.justext(page, frozenset(), stopwords_low=0.0, stopwords_high=0.0)
        )
    stop_words = justext.get_stoplist(given.language)
    return lambda page: _paragraphs(justext.justext(page, stop_words))


def _paragraphs(found: list[Any]) -> str:
    return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)


def _boilerpy(given: BoilerpyOptions) -> Method:
    from boilerpy3 import extractors

    kinds = {
        "article": extractors.ArticleExtractor,
        "default": extractors.DefaultExtractor,
        "largest": extractors.LargestContentExtractor,
        "keep-everything": extractors.KeepEverythingExtractor,
    }
    extractor = kinds[given.model](raise_on_failure=False)
    return lambda page: str(extractor.get_content(page) or "")


def _newspaper(_: NoOptions) -> Method:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of an extra that nothing here needs
        import newspaper

    def extract(page: str) -> str:
        # The address is never fetched: the page is handed in.
        article = newspaper.Article("https://page.invalid/", fetch_images=False)
        article.download(input_html=page)
        article.parse()
        return "\n".join(part for part in (article.title, article.text) if part)

    return extract


_PEERS = (
    Peer("resiliparse", "resiliparse", ResiliparseOptions, _resiliparse),
    Peer("trafilatura", "trafilatura", TrafilaturaOptions, _trafilatura),
    Peer("readability", "readability", NoOptions, _readability),
    Peer("justext", "justext", JustextOptions, _justext),
    Peer("boilerpy3", "boilerpy3", BoilerpyOptions, _boilerpy),
    Peer("newspaper4k", "newspaper", NoOptions, _newspaper),
)


def names() -> tuple[str, ...]:
    """Return the peers' names with their prefix."""
    return tuple(PREFIX + peer.name for peer in _PEERS)


def called(name: str, peers: Sequence[Peer]) -> Peer | None:
    """Find the peer that is called `name`, prefix included."""
    return next((peer for peer in peers if PREFIX + peer.name == name), None)


def get(name: str) -> Peer:
    """Return the peer called `name`, prefix included; raise ValueError if it, or its package, is missing."""
    peer = called(name, _PEERS)
    if peer is None:
        raise ValueError(f"unknown peer {name!r}; there are: {', '.join(names())}")
    if importlib.util.find_spec(peer.module) is None:
        raise ValueError(f"{name} is not installed: {install_command(EXTRA)}")
    return peer


def parse_options(name: str, given: Mapping[str, object]) -> Options:
    """Make the options record of peer `name`; ValueError for what is unknown, not allowed, or missing."""
    if name == wet.NAME:
        parsed = options.parse(name, wet.WetOptions, given)
        wet.read_texts(cast(wet.WetOptions, parsed).file)
        return parsed
    return options.parse(name, get(name).options, given)


def bind(name: str, options_text: str) -> Callable[[bytes], Extraction]:
    """Peer `name` with options as canonical JSON; see `run_by`. Raises ValueError as `parse_options` does."""
    return run_by(get(name), parse_options(name, json.loads(options_text)))


def run_by(peer: Peer, record: Options) -> Callable[[bytes], Extraction]:
    """From a page of valid UTF-8 to an extraction with the peer's text and nothing else; metrics are zero."""
    # Their complaints about pages are not concern of the user's.
    logging.getLogger(peer.module).setLevel(logging.CRITICAL)
    method = peer.make(record)
    return lambda page: Extraction(method(page.decode()), None, None, NO_METRICS, tuple)
