"""The chunked coding: exact where the form is right, lenient where it is not."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.decode._chunks import dechunk
from tests.helpers.shapes import assert_linear
from tests.oracles import chunks as oracle

LIMIT = 1 << 20
END = b"0\r\n\r\n"
TEXT = b"<p>The tide came in twice.</p>\r\n<p>A heron stood there.</p>\n" * 20 + b"<p>It rained.</p>"


def chunk(data: bytes, end: bytes = b"\r\n", extension: bytes = b"") -> bytes:
    return b"%x" % len(data) + extension + end + data + end


@st.composite
def chunked(draw):
    """A body and one way to write it in chunks."""
    body = draw(st.binary(max_size=200))
    end = draw(st.sampled_from([b"\r\n", b"\n"]))
    pad = draw(st.sampled_from([b"", b"000", b" "]))
    extension = draw(st.sampled_from([b"", b" ", b";a", b";a=b", b' ; a="b;c"', b";" + b"x" * 100]))
    cuts = sorted(draw(st.sets(st.integers(0, len(body)), max_size=8)) | {0, len(body)})
    coded = b"".join(pad + chunk(body[a:b], end, extension) for a, b in itertools.pairwise(cuts) if b > a)
    trailer = draw(st.sampled_from([b"", b"Expires: never" + end, b"A: b" + end + b"C: d" + end]))
    return body, coded + b"0" + extension + end + trailer + end


@given(chunked())
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_chunking_round_trips(case):
    body, coded = case
    assert dechunk(coded, LIMIT) == (body, False)


@given(chunked(), st.integers(0, 200))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_the_cap_keeps_a_prefix(case, limit):
    body, coded = case
    assert dechunk(coded, limit) == (body[:limit], len(body) > limit)


def test_sizes_in_upper_case_and_line_ends_before_them_are_read():
    assert dechunk(b"\r\n1E\r\n" + b"x" * 30 + b"\r\n\r\n1\r\ny\r\n" + END, LIMIT) == (
        b"x" * 30 + b"y",
        False,
    )


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"\r\n<html>", b"xyz\r\n", b"{}", b"12345678901234567\r\na", b"5"]
)
def test_bodies_of_another_form_are_not_chunks(body):
    assert dechunk(body, LIMIT) is None


def test_text_that_begins_with_a_number_is_not_chunks():
    assert dechunk(b"5\nhello world, this is no chunk", LIMIT) is None


@pytest.mark.parametrize("kept", range(0, len(TEXT), 37))
def test_a_cut_chunk_gives_what_is_there(kept):
    coded = chunk(b"first") + b"%x\r\n" % len(TEXT) + TEXT[:kept]
    assert dechunk(coded, LIMIT) == (b"first" + TEXT[:kept], True)


def test_a_body_without_its_last_chunk_is_truncated():
    assert dechunk(chunk(b"a") + chunk(b"b"), LIMIT) == (b"ab", True)


@pytest.mark.parametrize("lie", [1, 10, len(TEXT) - 1, len(TEXT) + 3, 3 * len(TEXT), 2**40])
def test_a_size_that_lies_is_corrected_by_the_next_true_one(lie):
    coded = chunk(b"first") + b"%x\r\n" % lie + TEXT + b"\r\n" + chunk(b"<p>last</p>") + END
    assert dechunk(coded, LIMIT) == (b"first" + TEXT + b"<p>last</p>", False)


def test_a_first_size_that_lies_is_corrected_too():
    coded = b"4\r\n" + TEXT + b"\r\n" + chunk(b"<p>last</p>") + END
    assert dechunk(coded, LIMIT) == (TEXT + b"<p>last</p>", False)


def test_a_size_within_a_line_is_not_taken_for_the_next():
    coded = chunk(b"x") + b"3\r\nabc4\r\nwxyz\r\n" + END
    assert dechunk(coded, LIMIT) == (b"xabc4\r\nwxyz", False)


def test_a_last_size_that_lies_keeps_all_that_follows():
    assert dechunk(chunk(b"first") + b"2\r\n" + TEXT, LIMIT) == (b"first" + TEXT, True)


def test_numbers_on_lines_of_their_own_are_not_taken_for_sizes():
    text = b"<pre>\r\n5\r\n0\r\nabc\r\nff\r\n</pre>"
    assert dechunk(b"3\r\n" + text + b"\r\n" + chunk(b"x") + END, LIMIT) == (text + b"x", False)


@pytest.mark.parametrize(
    "unit",
    [
        b"1\r\nx\r\n",
        b"\n",
        b"\r\n5",
        b"\n5\n",
        b"0;" + b"x" * 300,
        b"\nFFFFF\n",
        b"1;",
        b"\n1 \n",
        b"\r\n0\r\n<",
    ],
)
def test_any_storm_is_read_in_linear_time(unit):
    assert_linear(
        lambda body: dechunk(body, 1 << 30),
        lambda size: b"3\r\nabc\r\n1\r\n" + unit * (size // len(unit)),
        2**16,
    )


def test_heads_that_all_point_into_one_run_of_line_ends_are_read_in_linear_time():
    def make(size):
        return b"1\r\nabc" + b"\r\n%x" % size * (size // 16) + b"\n" * size * 2

    assert_linear(lambda body: dechunk(body, 1 << 30), make, 2**16)


@given(st.binary(max_size=200), st.sampled_from([b"", b"3\r\nabc\r\n", b"9\nabc\n", b"1;x\r\na\r\n"]))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_any_bytes_give_data_or_none(tail, head):
    dechunked = dechunk(memoryview(head + tail), LIMIT)
    assert dechunked is None or len(dechunked[0]) <= len(head + tail)


PIECES = st.one_of(
    st.binary(max_size=6),
    st.sampled_from(
        [
            b"\r",
            b"\n",
            b"\r\n",
            b"\n\n",
            b" ",
            b"\t",
            b";",
            b":",
            b"0",
            b"1",
            b"5",
            b"a",
            b"F",
            b"1\r\nx\r\n",
            b"0\r\n\r\n",
        ]
    ),
    st.sampled_from(
        [b"3\nabc\n", b"2;x=y\r\nab\r\n", b"Expires: x", b"f" * 16, b"1" * 17, b" " * 64, b" " * 65]
    ),
    st.sampled_from(
        [b";" + b"x" * 255, b";" + b"x" * 256, b";" + b"x" * 257, b"\n" * 8, b"\r\n" * 9, b"\n" * 17]
    ),
    st.integers(0, 40).map(lambda size: b"%x\r\n" % size),
    st.integers(0, 40).map(lambda size: b"%X\r\n" % size + b"y" * size + b"\r\n"),
)


@pytest.mark.slow
@given(st.lists(PIECES, max_size=14).map(b"".join), st.sampled_from([LIMIT, 9, 1, 0]))
@settings(derandomize=True, deadline=None, max_examples=400)
def test_any_line_ends_sizes_and_extensions_are_read_as_the_expressions_read_them(body, limit):
    assert dechunk(body, limit) == oracle.dechunk(body, limit)
    assert dechunk(memoryview(b"1\r\nz\r\n" + body), limit) == oracle.dechunk(b"1\r\nz\r\n" + body, limit)


@given(chunked(), st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=2)), max_size=3))
@settings(derandomize=True, deadline=None, max_examples=300)
def test_damaged_chunks_are_read_as_the_expressions_read_them(case, damages):
    _, coded = case
    for at, put_in in damages:
        coded = coded[:at] + put_in + coded[at + 1 :]
    assert dechunk(coded, LIMIT) == oracle.dechunk(coded, LIMIT)


def test_8_mb_in_chunks_of_one_byte_are_put_together():
    body = b"1\r\nx\r\n" * (8_000_000 // 6) + END
    assert len(dechunk(body, 8 << 20)[0]) == 8_000_000 // 6
