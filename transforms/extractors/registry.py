"""The extractors by name: Cedar's own, and other packages'."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from cedar.transforms.extractors import options, plugins
from cedar.transforms.extractors.catalogue import CATALOGUE
from cedar.transforms.extractors.catalogue import DEFAULT as DEFAULT
from cedar.transforms.extractors.catalogue import STAND_IN as STAND_IN
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.method import Extractor, Fidelity
from cedar.transforms.extractors.options import Options

_TABLE_KEY = "@table"

_BODY_ONLY = {"title": "drop", "comments": "drop", "captions": "drop"}
"""The options that leave the body of an article: what many golds and users mean by its text."""


def names() -> tuple[str, ...]:
    """List the names of the extractors that come with Cedar; the default first."""
    return tuple(extractor.name for extractor in CATALOGUE)


def get(name: str) -> Extractor:
    """Find an extractor: of `names()`, an entry point of `cedar.extractors`, or `package.module:function`.

    Raises:
        ValueError: it does not exist, or cannot be imported; the message says why, or lists those there are.
        TypeError: it is not a string.
    """
    if not isinstance(name, str):
        raise TypeError(f"extractor is the name of a method, as 'cedar', not {type(name).__name__}")
    for extractor in CATALOGUE:
        if extractor.name == name:
            return extractor
    plugged_in = plugins.find(name)
    if plugged_in is not None:
        return plugged_in
    there_are = (*names(), *plugins.names())
    method, _, option = name.partition(":")
    if "=" in option and method in there_are:
        raise ValueError(f"not the name of an extractor: {name!r} (its options are given apart: {option})")
    from difflib import get_close_matches  # here, where it is needed

    if close := get_close_matches(name.lower(), there_are, 1):
        raise ValueError(f"unknown extractor {name!r}: did you mean {close[0]}?")
    raise ValueError(
        f"unknown extractor {name!r}; there are: {', '.join(there_are)}; "
        "a function of your own is written as package.module:function"
    )


def parse_options(name: str, given: Mapping[str, object], *, body_only: bool = False) -> Options:
    """Make the options record of an extractor from names and values; see `options.parse`.

    `body_only` adds the options that leave headline, comments and captions out.

    Raises ValueError: an unknown extractor or option, a value that is not allowed, or options from a row that
    was made with another table than is here; the body only of an extractor that cannot keep it.
    """
    extractor = get(name)
    if body_only:
        given = _body_only(extractor, given)
    table = given.get(_TABLE_KEY, extractor.table)
    if table != extractor.table:
        raise ValueError(
            f"{name}: the options are of table {table}, here is table {extractor.table or 'none'}; "
            f"leave {_TABLE_KEY} out to extract with the table that is here"
        )
    options_given = {option: value for option, value in given.items() if option != _TABLE_KEY}
    return options.parse(name, extractor.options, options_given)


def _body_only(extractor: Extractor, given: Mapping[str, object]) -> dict[str, object]:
    """Add the options that leave the body of an article; raise ValueError where that cannot be."""
    if not _leaves_body(extractor):
        there_are = ", ".join(each.name for each in CATALOGUE if _leaves_body(each))
        raise ValueError(f"{extractor.name} cannot keep the body only: choose {there_are}")
    for option, value in _BODY_ONLY.items():
        if given.get(option, value) != value:
            raise ValueError(
                f"{extractor.name}: the body only means {option}={value}: leave {option}={given[option]} out"
            )
    return {**given, **_BODY_ONLY}


def _leaves_body(extractor: Extractor) -> bool:
    return _BODY_ONLY.keys() <= {spec.name for spec in options.specs(extractor.options)}


def check_markdown(extractor: Extractor) -> None:
    """Raise ValueError, with a list of those that can, for a method that cannot write Markdown."""
    if not extractor.writes_markdown:
        there_are = ", ".join(each.name for each in CATALOGUE if each.writes_markdown)
        raise ValueError(
            f"{extractor.name} keeps lines of text and cannot write Markdown: choose from {there_are}"
        )


def check_html(extractor: Extractor) -> None:
    """Raise ValueError, with a list of those that can, for a method that cannot give the kept HTML."""
    if not (extractor.builds_tree or extractor.fidelity is Fidelity.YOURS):  # whose code may give anything
        there_are = ", ".join(each.name for each in CATALOGUE if each.builds_tree)
        raise ValueError(f"{extractor.name} builds no tree and gives no HTML: choose from {there_are}")


def options_json(record: Options) -> str:
    """Write an options record as canonical JSON: all options, sorted, compact."""
    return options.canonical_json(record)


@cache  # asked for each row
def row_options(name: str, options_text: str) -> str:
    """Write options, as `options_json` wrote them, as rows name them: with the learned table's version."""
    table = get(name).table
    if not table:
        return options_text
    named = {**json.loads(options_text), _TABLE_KEY: table}
    return json.dumps(named, sort_keys=True, separators=(",", ":"), allow_nan=False)


def bind(name: str, options_text: str) -> Callable[[bytes], Extraction]:
    """Bind an extractor to the options that `options_json` wrote: from a page of valid UTF-8.

    For a page whose tree libxml2 cannot hold, the stand-in extracts, and the result says so.

    Raises ValueError: an unknown extractor or option, or a value that is not allowed.
    """
    return _bound(get(name), parse_options(name, json.loads(options_text)))


def run(extractor: Extractor, html: bytes, record: Options) -> Extraction:
    """Extract from a page of valid UTF-8; see `bind` for what becomes of trees that are too large."""
    return _bound(extractor, record)(html)


def extract_plain_text(html: bytes) -> Extraction:
    """Extract from a page of plain text, which is content as a whole; the result names what extracts."""
    extractor = get("keep-all")
    return replace(run(extractor, html, extractor.options()), fallback=f"{extractor.name}: plain text")


def _bound(extractor: Extractor, record: Options) -> Callable[[bytes], Extraction]:
    function = extractor.function
    if not extractor.builds_tree:
        return lambda html: function(html, record)
    # What only trees need is not imported for the others; and it is imported here, not at a page that has
    # little memory to spare.
    from cedar.transforms.extractors.tree.limits import TreeLimitError

    stand_in = get(STAND_IN)
    stand_in_function, stand_in_options = stand_in.function, stand_in.options()

    def extract(html: bytes) -> Extraction:
        try:
            return function(html, record)
        except TreeLimitError as limit:
            found = stand_in_function(html, stand_in_options)
            return replace(found, fallback=f"{stand_in.name}: {limit}")

    return extract
