"""The options of URLs that are wanted, and their rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.option_types import invalid_value
from cedar.pipelines.common.option_types import path as path_value
from cedar.transforms.files.places import absolute
from cedar.transforms.model.options import Group, shaping

if TYPE_CHECKING:
    from cedar.transforms.urls.block_lists import BlockList
    from cedar.transforms.urls.rules import UrlRules

_addresses = Group("wanted URLs", "lists: one entry per line, perhaps gzipped; see docs/curation.md").option

_LISTS = ("domains", "urls", "words", "soft_words", "substrings")
_OF_UT1 = {"domains": "domains", "urls": "addresses"}
"""The files of a category of the UT1 lists, and what their lines are."""


def _list_option(help_text: str) -> Any:
    return _addresses(f"{help_text}; may be repeated", unit="path", metavar="FILE", repeats="append")


def _categories(text: str) -> tuple[str, ...]:
    """Read the folder of the UT1 lists and their categories: `DIR:adult,phishing`."""
    folder, colon, names = text.rpartition(":")
    if not colon or not re.fullmatch(r"[\w-]+(,[\w-]+)*", names):
        raise invalid_value("choice of UT1 lists", text, "write it as DIR:adult,phishing")
    return (path_value(folder), *names.split(","))


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlOptions:
    """The options of URLs that are wanted."""

    url_include: str | None = _addresses(
        "only pages whose URL matches", unit="regex", metavar="REGEX", shapes=True
    )
    url_exclude: str | None = _addresses(
        "no pages whose URL matches", unit="regex", metavar="REGEX", shapes=True
    )
    block_domains: tuple[str, ...] = _list_option("no pages whose registered domain or host is in this list")
    block_urls: tuple[str, ...] = _list_option("no pages whose URL is in this list")
    block_words: tuple[str, ...] = _list_option("no pages with a word of this list in the URL")
    block_soft_words: tuple[str, ...] = _list_option(
        "no pages with --block-soft-at words of this list in the URL"
    )
    block_soft_at: int = _addresses("how many soft words are too many", 2, unit="number", metavar="N")
    block_substrings: tuple[str, ...] = _list_option(
        "no pages whose URL contains a line of this list; only letters and digits count"
    )
    block_ut1: tuple[str, ...] | None = _addresses(
        "no pages in these categories of the UT1 lists, unpacked in DIR",
        parse=_categories,
        metavar="DIR:NAMES",
    )


NO_URL_OPTIONS = UrlOptions()


def url_rules(options: UrlOptions) -> UrlRules:
    """Read the lists and make their rules; raise UsageError if a list cannot be read."""
    from cedar.transforms.urls.rules import UrlRules

    include, exclude = options.url_include, options.url_exclude
    try:
        blocked = tuple(_lists(options))
    except FileNotFoundError as fault:
        raise UsageError(f"no such list: {fault.filename or fault}") from fault
    except ValueError as error:
        raise UsageError(str(error)) from error
    if options.block_soft_at != NO_URL_OPTIONS.block_soft_at and not options.block_soft_words:
        raise UsageError("--block-soft-at counts words of a list: give --block-soft-words, too")
    return UrlRules(
        include=re.compile(include) if include else None,
        exclude=re.compile(exclude) if exclude else None,
        blocked=blocked,
        soft_at=options.block_soft_at,
    )


def url_identity(options: UrlOptions, rules: UrlRules) -> dict[str, Any]:
    """Return the identity of a corpus by its rules of URLs."""
    return {**shaping(options), **rules.identity}


def _lists(options: UrlOptions) -> Iterator[BlockList]:
    from cedar.transforms.urls.block_lists import read_block_list

    for kind in _LISTS:
        for path in getattr(options, f"block_{kind}"):
            yield read_block_list(path.rstrip("/").rpartition("/")[2], kind, absolute(path))
    folder, *categories = options.block_ut1 or ("",)
    for category in categories:
        found = []
        for file, kind in _OF_UT1.items():
            try:
                place = f"{absolute(folder)}/{category}/{file}"
                found.append(read_block_list(f"ut1/{category}", kind, place, is_part=True))
            except FileNotFoundError:
                continue
        if not found:
            raise UsageError(f"no UT1 list {category!r} in {folder}: there is no {folder}/{category}/domains")
        if not any(list_.has_entries for list_ in found):
            raise UsageError(f"the UT1 list {category!r} in {folder} has no entries: leave it out")
        yield from found
