"""Common Crawl's own text of pages, out of its WET files: `peer:wet`.

A WET file has a record `conversion` for each HTML page of the WARC file of the same name; its header
`WARC-Refers-To` is the id of the page's record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from transforms.extractors.options import About
from transforms.files.http_client import Web
from transforms.files.stores import source_for
from transforms.warc.reader import Damage, FileRange, ReadEnd, read_records

NAME = "peer:wet"

_KINDS = frozenset({"conversion"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WetOptions:
    """Options of `peer:wet`."""

    file: Annotated[str, About("the WET file: a path or URL")] = ""


def read_texts(path: str) -> Mapping[str, str]:
    """Return the texts in a WET file by the ids of their records; raise ValueError for a bad file."""
    if not path:
        raise ValueError(f"{NAME} needs a file: write {NAME}:file=NAME.warc.wet.gz")
    texts = {}
    try:
        place = source_for(path, Web())
        size = place.stat().size or 0
        with place.open() as file:
            for item in read_records(file, FileRange(source=path, size=size), kinds=_KINDS):
                if isinstance(item, Damage):
                    raise ValueError(f"{path} is damaged at byte {item.offset}: {item.reason.value}")
                if not isinstance(item, ReadEnd) and item.kind in _KINDS and item.refers_to is not None:
                    if item.truncated:
                        raise ValueError(f"{path} is cut, or a text in it is: the one at byte {item.offset}")
                    texts[item.refers_to] = item.block.decode("utf-8", "replace")
    except OSError as fault:
        raise ValueError(f"cannot read {path}: {fault}") from fault
    if not texts:
        raise ValueError(f"{path} is not a WET file: it has no text that refers to a page")
    return texts
