"""What a guard's child says: all of an extraction passes, and nothing else does."""

from __future__ import annotations

import math
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.extractors.extraction import Block, Extraction, GivenExtraction, PageMetrics
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.texts import valid_text
from cedar.transforms.runtime.guard_wire import (
    MalformedAnswerError,
    answer,
    decoded,
    encoded,
    receive_exactly,
)

COUNTS = st.integers(0, 2**31 - 1)
RATIOS = st.none() | st.floats(allow_nan=False)
METRICS = st.builds(
    PageMetrics,
    *[COUNTS] * 7,
    *[RATIOS] * 3,
    content_ratio=st.floats(allow_nan=False),
    confidence=RATIOS,
    empty_reason=st.none() | st.text(),
)
TEXTS = st.text()
BLOCKS = st.lists(
    st.builds(
        Block,
        text=TEXTS,
        kept=st.booleans(),
        score=st.floats(allow_nan=False),
        start=st.none() | COUNTS,
        stop=st.none() | COUNTS,
        path=st.none() | TEXTS,
        cues=st.lists(st.tuples(TEXTS, st.floats(allow_nan=False)), max_size=2).map(tuple),
        reason=TEXTS,
    ),
    max_size=3,
).map(tuple)
EXTRACTIONS = st.builds(
    lambda text, title, html, metrics, fallback, blocks: GivenExtraction(
        text, title, metrics, fallback=fallback, given_html=html, given_blocks=blocks
    ),
    TEXTS,
    st.none() | TEXTS,
    st.none() | TEXTS,
    METRICS,
    st.none() | TEXTS,
    BLOCKS,
)


@given(EXTRACTIONS, st.booleans(), st.floats(0, 1e9), st.booleans())
def test_an_extraction_passes_whole(found: Extraction, leaves: bool, cpu: float, wanted: bool) -> None:
    data = answer(encoded(found, with_html=wanted, with_blocks=wanted), leaves=leaves, cpu_seconds=cpu)
    read = decoded(data)
    assert isinstance(read.found, Extraction)
    assert read.found == found
    assert read.found.html == (found.html if wanted else None)
    assert read.found.blocks == (found.blocks if wanted else ())
    assert (read.leaves, read.cpu_seconds) == (leaves, cpu)


@given(st.sampled_from(RejectReason), st.text(st.characters(), max_size=600))
def test_a_reject_passes_with_the_beginning_of_its_detail(reason: RejectReason, detail: str) -> None:
    data = answer(encoded(RejectedError(reason, detail), with_html=False), leaves=False, cpu_seconds=0.0)
    found = decoded(data).found
    assert isinstance(found, RejectedError)
    assert (found.reason, found.detail) == (reason, valid_text(detail)[:500])


@given(EXTRACTIONS, st.data())
def test_an_answer_that_was_tampered_with_is_none_or_well_formed(
    found: Extraction, data: st.DataObject
) -> None:
    written = bytearray(answer(encoded(found, with_html=True), leaves=False, cpu_seconds=1.0))
    for _ in range(data.draw(st.integers(1, 4))):
        written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    del written[data.draw(st.integers(0, len(written))) :]
    try:
        read = decoded(bytes(written))
    except MalformedAnswerError:
        return
    assert math.isfinite(read.cpu_seconds)
    if isinstance(read.found, Extraction):
        read.found.text.encode()
        assert 0 <= read.found.metrics.words < 2**31


@given(st.binary(max_size=400))
def test_bytes_at_random_are_no_answer_or_one(data: bytes) -> None:
    try:
        read = decoded(data)
    except MalformedAnswerError:
        return
    assert isinstance(read.found, Extraction | RejectedError)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b"null",
        b'{"leaves": 1, "cpu_seconds": 1.0, "found": {}}',
        b'{"leaves": true, "cpu_seconds": NaN, "found": {"reason": "empty_body", "detail": ""}}',
        b'{"leaves": true, "cpu_seconds": 1.0, "found": {"reason": "x", "detail": ""}}',
        b'{"leaves": true, "cpu_seconds": 1.0, "found": {"reason": "extractor_error", "detail": "\\ud800"}}',
    ],
)
def test_json_of_another_form_is_no_answer(data: bytes) -> None:
    with pytest.raises(MalformedAnswerError):
        decoded(data)


@pytest.mark.parametrize("end", [b"", b"x"])
def test_a_frame_that_is_cut_or_goes_on_is_no_answer(end: bytes) -> None:
    found = RejectedError(RejectReason.EXTRACTOR_ERROR, "detail")
    data = answer(encoded(found, with_html=False), leaves=False, cpu_seconds=0.0)
    with pytest.raises(MalformedAnswerError):
        decoded(data + end if end else data[:-1])


@pytest.mark.parametrize("sent", [b"", b"abc"])
def test_a_message_that_breaks_off_is_the_end(sent: bytes) -> None:
    ours, theirs = socket.socketpair()
    theirs.sendall(sent)
    theirs.close()
    with ours, pytest.raises(EOFError):
        receive_exactly(ours, 8)
