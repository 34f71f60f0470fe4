"""Extractors by others, for comparison: `peer:NAME`. The extra `peers` has their packages.

Each is called as its documentation says, on the page as Cedar decodes it.
"""

import importlib.util
import json
import logging
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cedar.transforms.extractors import options
from cedar.transforms.extractors.extraction import NO_METRICS, Extraction
from cedar.transforms.extractors.options import About, NoOptions, Options

PREFIX = "peer:"
FACTORY = "cedar.transforms.scoring.peers:bind"
"""What the page guard calls; see `cedar.transforms.runtime.guard`."""

Method = Callable[[str], str]


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


@dataclass(frozen=True, slots=True)
class Peer:
    """An extractor by others.

    Attributes:
        name: its name after `peer:`.
        module: the module that must be installed.
        packages: what `pip install` needs for it.
        options: its record of options.
        make: imports it, and returns the function from a page's source to its text.
    """

    name: str
    module: str
    packages: tuple[str, ...]
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
    import readability

    return lambda page: lines_of(readability.Document(page).summary(html_partial=True))


def lines_of(html: str) -> str:
    """Return the text of kept HTML: a line for each piece of text, so that none are fused."""
    import lxml.html

    return "\n".join(lxml.html.fromstring(html).itertext()) if html.strip() else ""


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


_HTML_CLEAN = "lxml-html-clean"
"""Was a part of lxml; some packages import it and do not require it."""

PEERS = (
    Peer("resiliparse", "resiliparse", ("resiliparse",), ResiliparseOptions, _resiliparse),
    Peer("trafilatura", "trafilatura", ("trafilatura", _HTML_CLEAN), TrafilaturaOptions, _trafilatura),
    Peer("readability", "readability", ("readability-lxml", _HTML_CLEAN), NoOptions, _readability),
    Peer("justext", "justext", ("jusText", _HTML_CLEAN), JustextOptions, _justext),
)


def names() -> tuple[str, ...]:
    """Return the peers' names with their prefix."""
    return tuple(PREFIX + peer.name for peer in PEERS)


def get(name: str) -> Peer:
    """Return the peer called `name`, prefix included; raise ValueError for another name."""
    found = next((peer for peer in PEERS if PREFIX + peer.name == name), None)
    if found is None:
        raise ValueError(f"unknown peer {name!r}; there are: {', '.join(names())}")
    return found


def parse_options(name: str, given: Mapping[str, object]) -> Options:
    """Make the options record of peer `name`; ValueError for an unknown, wrong or missing one."""
    peer = get(name)
    record = options.parse(name, peer.options, given)
    if importlib.util.find_spec(peer.module) is None:
        command = shlex.join(["pip", "install", *peer.packages])
        raise ValueError(f"{name} needs {peer.module}, which is not installed: {command}")
    return record


def bind(name: str, options_text: str) -> Callable[[bytes], Extraction]:
    """Bind peer `name` to options, canonical JSON: from a page of UTF-8 to its text and nothing else.

    Metrics are zero. Raises ValueError as `parse_options` does.
    """
    peer = get(name)
    method = peer.make(parse_options(name, json.loads(options_text)))
    logging.getLogger(peer.module).setLevel(logging.CRITICAL)  # a peer's complaints about pages help no user
    return lambda page: Extraction(method(page.decode()), None, NO_METRICS)
