"""Blocks from a guarded extractor: a child hands back text and HTML alone, so blocks travel in the HTML."""

import json
from collections.abc import Callable
from dataclasses import astuple, replace

from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Block, Extraction, GivenExtraction
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.runtime.guard import Guard
from cedar.transforms.runtime.guard_limits import GuardLimits

FACTORY = "cedar.transforms.runtime.guarded_blocks:bind"


def extract_with_blocks(extractor: str, options: str, html: bytes, limits: GuardLimits) -> Extraction:
    """Extract from a page of valid UTF-8 in a child of its own; options are canonical JSON.

    Raises:
        RejectedError: the page goes over the limits.
        GuardFaultError: the machine keeps the guard from working.
    """
    guard = Guard((extractor, options), limits, FACTORY)
    try:
        found = guard.extract(html)
    finally:
        guard.close()
    try:
        kept_html, blocks = json.loads(found.html or "")
        given = tuple(_block(*block) for block in blocks)
    except (ValueError, TypeError, RecursionError) as error:
        raise RejectedError(RejectReason.EXTRACTOR_ERROR, f"the blocks are not readable: {error}") from error
    return GivenExtraction(
        found.text,
        found.title,
        found.metrics,
        fallback=found.fallback,
        given_blocks=given,
        given_html=kept_html,
    )


def bind(extractor: str, options: str) -> Callable[[bytes], Extraction]:
    """Bind an extractor, in the child: its extractions have JSON of their HTML and blocks for HTML."""
    extract = registry.bind(extractor, options)

    def with_blocks(html: bytes) -> Extraction:
        found = extract(html)
        told = json.dumps([found.html, [astuple(block) for block in found.blocks]])
        return GivenExtraction(
            found.text, found.title, found.metrics, fallback=found.fallback, given_html=told
        )

    return with_blocks


def _block(text: str, kept: bool, score: float, *others: object) -> Block:
    """Make a block of what a child sent; raise TypeError if it is none."""
    start, stop, path, cues, reason = others
    block = Block(
        str(text), bool(kept), float(score), path=None if path is None else str(path), reason=str(reason)
    )
    numbers = tuple((str(name), float(value)) for name, value in cues)  # type: ignore[attr-defined]
    if not isinstance(start, int | None) or not isinstance(stop, int | None):
        raise TypeError("a place is a number")
    return replace(block, start=start, stop=stop, cues=numbers)
