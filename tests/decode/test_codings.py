"""Bodies freed of transfer and content codings: chains, lies, cuts, bombs."""

import gzip
import random
import tracemalloc
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.decode.codings import CODINGS, MAX_ZSTD_BLOCKS
from cedar.transforms.decode.http import Body, HttpMessage, decode_body, parse_http
from cedar.transforms.model.books import RejectedError, RejectReason
from tests.helpers.shapes import assert_linear, cpu_seconds

LIMIT = 1 << 20
WORDS = ("river", "stone", "heron", "morning", "garden", "lantern", "bridge", "copper", "winter", "harbour")


def page(words: int = 4000) -> bytes:
    choice = random.Random(7).choice
    return b"<!doctype html><p>" + " ".join(choice(WORDS) for _ in range(words)).encode() + b"</p>"


def raw_deflate(data: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return engine.compress(data) + engine.flush()


CODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: brotli.compress(data, quality=5),
    "zstd": zstandard.ZstdCompressor().compress,
}
PAGE = page()
BIG = page(60_000)
BIG_CODED = {coding: coder(BIG) for coding, coder in CODERS.items()}
BINARY = random.Random(1).randbytes(4000)


def message(body: bytes, *headers: tuple[str, str]) -> HttpMessage:
    return HttpMessage(200, headers, memoryview(body))


def decoded(body: bytes, coding: str, max_body: int = LIMIT) -> Body:
    return decode_body(message(body, ("content-encoding", coding)), max_body)


def refusal(body: bytes, coding: str) -> RejectedError:
    with pytest.raises(RejectedError) as caught:
        decoded(body, coding)
    assert caught.value.reason is RejectReason.BAD_CODING
    return caught.value


def outcome(body: bytes, coding: str) -> Body | RejectReason:
    try:
        return decoded(body, coding, 100)
    except RejectedError as error:
        return error.reason


def test_each_known_coding_is_tested():
    assert CODERS.keys() == CODINGS.keys()


def test_a_body_without_codings_is_its_bytes():
    assert decode_body(message(PAGE), LIMIT) == Body(PAGE, False)


def test_a_body_of_bytes_within_the_cap_is_not_copied():
    assert decode_body(HttpMessage(None, (), PAGE), LIMIT).data is PAGE


@pytest.mark.parametrize(("limit", "truncated"), [(len(PAGE), False), (len(PAGE) - 1, True), (0, True)])
def test_a_body_over_the_cap_keeps_its_prefix(limit, truncated):
    assert decode_body(message(PAGE), limit) == Body(PAGE[:limit], truncated)


def test_a_content_length_that_is_too_short_is_not_obeyed():
    assert decode_body(message(PAGE, ("content-length", "10")), LIMIT) == Body(PAGE, False)


@pytest.mark.parametrize("coding", CODERS)
@pytest.mark.parametrize("size", [0, 1, len(PAGE)])
def test_each_coding_is_undone(coding, size):
    assert decoded(CODERS[coding](PAGE[:size]), coding) == Body(PAGE[:size], False)


@pytest.mark.parametrize(
    "label", ["GZIP", " gzip ", "gzip;q=1.0", '"gzip"', "gzip, identity", "none,gzip", ",gzip"]
)
def test_odd_spellings_of_a_coding_are_read(label):
    assert decoded(gzip.compress(PAGE), label) == Body(PAGE, False)


def test_deflate_without_zlib_header_is_undone():
    assert decoded(raw_deflate(PAGE), "deflate") == Body(PAGE, False)


@given(st.lists(st.sampled_from(sorted(CODERS)), min_size=1, max_size=3), st.binary(min_size=1, max_size=500))
@settings(derandomize=True, deadline=None, max_examples=100)
def test_chains_of_codings_are_undone_in_their_order(chain, body):
    coded = body
    for coding in chain:
        coded = CODERS[coding](coded)
    assert decoded(coded, ", ".join(chain)) == Body(body, False)


def test_codings_over_several_header_lines_are_one_chain():
    coded = CODERS["br"](CODERS["deflate"](CODERS["gzip"](PAGE)))
    headers = (("content-encoding", "gzip, deflate"), ("content-encoding", "br"))
    assert decode_body(message(coded, *headers), LIMIT) == Body(PAGE, False)


def test_more_layers_than_three_are_refused():
    assert "4 layers" in refusal(PAGE, "gzip, gzip, gzip, gzip").detail


def test_gzip_of_several_members_is_read_to_its_end():
    coded = b"".join(gzip.compress(PAGE[i : i + 1000]) for i in range(0, len(PAGE), 1000))
    assert decoded(coded, "gzip") == Body(PAGE, False)


def test_zstd_of_several_frames_is_read_to_its_end():
    skippable = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"12345"
    frame = zstandard.ZstdCompressor(write_checksum=True).compress
    assert decoded(frame(PAGE[:100]) + frame(b"") + frame(PAGE[100:]), "zstd") == Body(PAGE, False)
    assert decoded(frame(PAGE[:100]) + skippable + frame(PAGE[100:]), "zstd") == Body(PAGE, False)


def test_skippable_frames_count_as_blocks_of_which_there_may_be_so_many():
    frame = zstandard.ZstdCompressor().compress(PAGE)
    empty = b"\x50\x2a\x4d\x18" + bytes(4)
    assert decoded(frame + empty * (MAX_ZSTD_BLOCKS - 1), "zstd") == Body(PAGE, False)
    assert decoded(frame + empty * MAX_ZSTD_BLOCKS, "zstd") == Body(PAGE, True)


def test_zstd_without_a_content_size_is_undone():
    engine = zstandard.ZstdCompressor().compressobj()
    coded = engine.compress(PAGE) + engine.flush()
    assert decoded(coded, "zstd") == Body(PAGE, False)


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate", "zstd"])
@pytest.mark.parametrize("tail", [b"\0" * 20, b"\r\n", b"<!-- appended by a proxy -->"])
def test_what_follows_coded_data_is_not_part_of_the_body(coding, tail):
    assert decoded(CODERS[coding](PAGE) + tail, coding) == Body(PAGE, False)


def test_what_follows_brotli_costs_a_piece_of_its_end_at_most():
    body = decoded(CODERS["br"](PAGE) + b"tail", "br")
    assert body.truncated
    assert PAGE.startswith(body.data)
    assert len(body.data) > len(PAGE) * 3 // 4


@pytest.mark.parametrize("coding", CODERS)
@pytest.mark.parametrize("part", [0.4, 0.6, 0.9, 0.999])
def test_a_cut_coded_body_gives_a_prefix(coding, part):
    big, coded = BIG, BIG_CODED[coding]
    body = decoded(coded[: int(len(coded) * part)], coding)
    assert body.truncated
    assert big.startswith(body.data)
    # Blocks of zstd are up to 128 KiB long and come out whole or not at all.
    assert len(body.data) > len(big) * part - (150_000 if coding == "zstd" else 60_000)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_a_damaged_coded_body_gives_what_stands_before_the_damage(coding):
    coded = bytearray(CODERS[coding](PAGE))
    middle = len(coded) // 2
    coded[middle : middle + 64] = b"\xff" * 64
    body = decoded(bytes(coded), coding)
    assert body.truncated
    assert PAGE.startswith(body.data[:1000])
    assert len(body.data) > 1000


def test_a_wrong_checksum_costs_no_data():
    coded = gzip.compress(PAGE)
    assert decoded(coded[:-8] + b"\0" * 8, "gzip") == Body(PAGE, True)


@pytest.mark.parametrize("coding", CODERS)
@pytest.mark.parametrize(
    "body",
    [PAGE, b"\xef\xbb\xbf<html>", "\ufeff<html><p>a".encode("utf-16-le"), b"<html>\0\0", b"a text", b""],
)
def test_a_label_on_a_plain_body_is_not_believed(coding, body):
    assert decoded(body, coding) == Body(body, False)


def test_a_chain_that_was_undone_in_part_is_undone_as_far_as_it_goes():
    assert decoded(gzip.compress(PAGE), "gzip, gzip") == Body(PAGE, False)
    headers = (("content-encoding", "gzip"), ("transfer-encoding", "gzip"))
    assert decode_body(message(gzip.compress(PAGE), *headers), LIMIT) == Body(PAGE, False)


@pytest.mark.parametrize("coding", CODERS)
def test_data_of_which_nothing_can_be_decoded_are_refused(coding):
    assert coding in refusal(BINARY, coding).detail


@pytest.mark.parametrize("label", ["utf-8", "text/html", "chunked", "8bit", "amz-1.0", "compress"])
def test_an_unknown_coding_of_text_is_passed_over(label):
    assert decoded(PAGE, label) == Body(PAGE, False)


def test_an_unknown_coding_beside_a_known_one_is_passed_over():
    assert decoded(gzip.compress(PAGE), "gzip, utf-8") == Body(PAGE, False)


def test_an_unknown_coding_of_other_data_is_refused_by_name():
    assert "compress" in refusal(BINARY, "compress").detail


def test_headers_of_the_crawler_are_not_obeyed():
    headers = (("x-crawl-content-encoding", "gzip"), ("x-archive-orig-content-encoding", "br"))
    coded = gzip.compress(PAGE)
    assert decode_body(message(coded, *headers), LIMIT) == Body(coded, False)


@pytest.mark.parametrize("label", ["chunked", "Chunked", "CHUNKED ", "gzip, chunked", "identity, chunked"])
def test_transfer_codings_are_undone_before_content_codings(label):
    body = CODERS["br"](PAGE)
    body = gzip.compress(body) if "gzip" in label else body
    chunks = b"".join(
        b"%x\r\n%b\r\n" % (len(body[i : i + 99]), body[i : i + 99]) for i in range(0, len(body), 99)
    )
    headers = (("transfer-encoding", label), ("content-encoding", "br"))
    assert decode_body(message(chunks + b"0\r\n\r\n", *headers), LIMIT) == Body(PAGE, False)


def test_a_body_that_the_crawler_dechunked_is_taken_as_it_is():
    assert decode_body(message(PAGE, ("transfer-encoding", "chunked")), LIMIT) == Body(PAGE, False)


def test_a_cut_chunk_of_a_coded_body_gives_a_prefix():
    coded = gzip.compress(page(20_000))
    block = b"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nContent-Encoding: gzip\n\n"
    body = decode_body(parse_http(block + b"%x\n" % len(coded) + coded[: len(coded) // 2]), LIMIT)
    assert body.truncated
    assert page(20_000).startswith(body.data)
    assert len(body.data) > 30_000


def zlib_bomb(size: int, wbits: int) -> bytes:
    engine = zlib.compressobj(1, wbits=wbits)
    zeros = bytes(1 << 20)
    return b"".join(engine.compress(zeros) for _ in range(size >> 20)) + engine.flush()


def zstd_bomb(size: int) -> bytes:
    """A frame of run-length blocks of 128 KiB, four bytes each."""
    block = ((1 << 17) << 3 | 1 << 1).to_bytes(3, "little") + b"a"
    return b"\x28\xb5\x2f\xfd\x00\x58" + block * (size >> 17) + (1).to_bytes(3, "little")


def brotli_bomb(size: int) -> bytes:
    engine = brotli.Compressor(quality=1)
    zeros = bytes(1 << 20)
    return b"".join(engine.process(zeros) for _ in range(size >> 20)) + engine.finish()


QUARTER = 1 << 28
BOMBS = {
    "gzip": lambda: zlib_bomb(QUARTER, 31),
    "gzip, gzip": lambda: gzip.compress(zlib_bomb(QUARTER, 31)),
    "deflate": lambda: zlib_bomb(QUARTER, -15),
    "br": lambda: brotli_bomb(QUARTER),
    "zstd": lambda: zstd_bomb(4 * QUARTER),
}


@pytest.mark.parametrize("coding", BOMBS)
def test_a_bomb_costs_what_the_cap_allows(coding):
    limit = 4 << 20
    bomb = BOMBS[coding]()
    tracemalloc.start()
    body = decoded(bomb, coding, limit)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(body.data) == limit
    assert body.truncated
    assert peak < 3 * limit
    seconds_of_more = cpu_seconds(lambda: decoded(bomb, coding, 16 * limit))
    assert cpu_seconds(lambda: decoded(bomb, coding, limit)) < max(seconds_of_more / 2, 0.05)


def test_a_window_beyond_reason_is_refused():
    refusal(b"\x28\xb5\x2f\xfd\x00\xa8" + b"\x02\x00\x00" * 100, "zstd")


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_storms_of_small_streams_are_read_in_linear_time(coding):
    unit = CODERS[coding](b"x")
    assert_linear(lambda body: decoded(body, coding), lambda size: unit * (size // len(unit)), 1 << 14)


@given(st.binary(max_size=300), st.sampled_from(sorted(CODERS)), st.booleans())
@settings(derandomize=True, deadline=None, max_examples=200)
def test_any_bytes_are_decoded_or_refused(body, coding, with_magic):
    head = CODERS[coding](b"page")[:10] if with_magic else b""
    result = outcome(head + body, coding)
    assert result is RejectReason.BAD_CODING or (isinstance(result, Body) and len(result.data) <= 100)
