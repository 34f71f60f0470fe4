"""Zstandard archives: frames in every variant, dictionaries, skippable frames, damage, limits."""

from __future__ import annotations

import io
import itertools
import random
import tracemalloc

import pytest
import zstandard

from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import Record
from cedar.transforms.warc.reader import Damage, FileRange, read_records
from cedar.transforms.warc.zstd_frames import MAX_WINDOW
from tests.warc.warc_samples import (
    frame,
    frames,
    overwritten,
    packed,
    page,
    pages,
    raw_frame,
    read,
    records,
    skippable,
    split,
    warc,
)

COUNT = 9
BAD = 4
PARTS = [warc(page(i, 20_000), f"http://a.example/{i}") for i in range(COUNT)]
FRAMES = [frame(part) for part in PARTS]
DICTIONARY = zstandard.train_dictionary(4096, [warc(page(i), f"http://a.example/{i}") for i in range(300)])
DICTIONARY_MAGIC = 0x184D2A5D


def with_bad(bad: bytes, good: list[bytes] = FRAMES) -> tuple[bytes, int]:
    """The file with its fifth frame replaced, and where that begins."""
    return b"".join([*good[:BAD], bad, *good[BAD + 1 :]]), sum(map(len, good[:BAD]))


def assert_others_intact(found: list[Record]) -> None:
    sound = [(f"http://a.example/{i}", page(i, 20_000)) for i in range(COUNT) if i != BAD]
    assert [(r.url, r.block) for r in found if not r.truncated] == sound


def with_dictionary(parts: list[bytes], stored: bytes) -> bytes:
    compressor = zstandard.ZstdCompressor(dict_data=DICTIONARY, write_checksum=True)
    return skippable(stored, DICTIONARY_MAGIC) + b"".join(compressor.compress(part) for part in parts)


@pytest.mark.parametrize("level", [-5, 1, 3, 19])
@pytest.mark.parametrize("checksum", [False, True])
@pytest.mark.parametrize("sized", [False, True])
def test_frames_of_every_variant(level: int, checksum: bool, sized: bool) -> None:
    parts = pages(4, 3000)
    found = records(b"".join(frame(part, level=level, checksum=checksum, sized=sized) for part in parts))
    assert [r.block for r in found] == [page(i, 3000) for i in range(4)]


def test_frames_of_several_blocks_raw_blocks_and_empty_ones() -> None:
    large = page(1, 700_000)
    streamed = zstandard.ZstdCompressor(write_checksum=True).compressobj()
    flushed = b"".join(
        streamed.compress(part) + streamed.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
        for part in (b"", warc(large)[:10], warc(large)[10:])
    )
    data = frame(warc(large)) + raw_frame(warc(large)) + flushed + streamed.flush() + frame(b"")
    assert [r.block for r in records(data)] == [large] * 3


def test_offsets_of_frames() -> None:
    found = records(b"".join(FRAMES))
    ends = list(itertools.accumulate(map(len, FRAMES)))
    assert [(r.location.offset, r.location.end, r.location.inner_offset) for r in found] == [
        (end - len(part), end, 0) for end, part in zip(ends, FRAMES, strict=True)
    ]


@pytest.mark.parametrize("magic", range(0x184D2A50, 0x184D2A60))
def test_skippable_frames_are_passed_over(magic: int) -> None:
    extra = skippable(b"anything" + FRAMES[0], magic)
    data = FRAMES[0] + extra + FRAMES[1] + extra + extra + FRAMES[2] + extra
    assert [r.url for r in records(data)] == [f"http://a.example/{i}" for i in range(3)]
    assert len(records(extra + FRAMES[0])) == 1


@pytest.mark.parametrize("compressed", [False, True])
def test_a_dictionary_is_found_from_every_range(compressed: bool) -> None:
    plain = DICTIONARY.as_bytes()
    data = with_dictionary(pages(40), frame(plain, level=19) if compressed else plain)
    whole = records(data)
    assert [r.block for r in whole] == [page(i) for i in range(40)]
    for cut in range(1, len(data), 1237):
        left, left_end = read(data, stop=cut)
        right, right_end = read(data, start=cut)
        assert left + right == whole
        assert left_end.next_offset == (right_end.first_offset or len(data))


def test_frames_without_use_of_the_dictionary_may_stand_between_others() -> None:
    data = with_dictionary(pages(3), DICTIONARY.as_bytes()) + FRAMES[7]
    assert [r.url for r in records(data)] == [f"http://a.example/{i}" for i in (0, 1, 2, 7)]


@pytest.mark.parametrize(
    "stored", [b"", b"\x37\xa4\x30\xec" + b"x" * 500, b"\x28\xb5\x2f\xfd" + b"x" * 500, b"no dictionary"]
)
def test_without_its_dictionary_a_file_is_no_archive(stored: bytes) -> None:
    data = with_dictionary(pages(3), stored)
    (damage,), _ = read(data)
    assert isinstance(damage, Damage)
    assert (damage.reason, damage.location.length) == (RejectReason.NOT_AN_ARCHIVE, len(data))


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (FRAMES[BAD][: len(FRAMES[BAD]) // 2], RejectReason.DAMAGED_RECORD),
        (overwritten(FRAMES[BAD], len(FRAMES[BAD]) // 2, b"\xff" * 48), RejectReason.DAMAGED_RECORD),
        (overwritten(FRAMES[BAD], len(FRAMES[BAD]) - 4, b"\0\0\0\0"), RejectReason.DAMAGED_MEMBER),
        (FRAMES[BAD][:-3], RejectReason.DAMAGED_MEMBER),
        (overwritten(raw_frame(PARTS[BAD]), 9000, b"X" * 50), RejectReason.DAMAGED_MEMBER),
        (raw_frame(PARTS[BAD])[:9000], RejectReason.DAMAGED_MEMBER),
        (raw_frame(PARTS[BAD], checksum=False)[:9000], RejectReason.DAMAGED_MEMBER),
        (overwritten(FRAMES[BAD], 0, b"XX"), RejectReason.DAMAGED_RECORD),
        (b"", None),
    ],
    ids=["cut", "ones", "checksum", "trailer", "raw", "raw cut", "raw cut unchecked", "magic", "removed"],
)
def test_a_damaged_frame_costs_itself_alone(bad: bytes, reason: RejectReason | None) -> None:
    data, at = with_bad(bad)
    found, damages = split(read(data)[0])
    assert_others_intact(found)
    if reason is None:
        assert not damages
        return
    (damage,) = damages
    assert damage.reason in (reason, RejectReason.DAMAGED_MEMBER)
    assert (damage.location.offset, damage.location.length) == (at, len(bad))


def test_a_cut_block_that_runs_into_the_next_frame_unseen_does_not_cost_that() -> None:
    # Cut inside its last block, which takes as many bytes of the next frame as it lacks itself; its size is
    # right, and there is no checksum.
    cut = raw_frame(PARTS[BAD], checksum=False)[:9000]
    good = [raw_frame(part, checksum=False) for part in PARTS]
    data, at = with_bad(cut, good)
    found, (damage,) = split(read(data)[0])
    assert_others_intact(found)
    assert (damage.location.offset, damage.location.length) == (at, len(cut))


def test_records_nested_in_a_frame_that_is_damaged_stay_hidden() -> None:
    nested = raw_frame(warc(b"".join(FRAMES), "http://nested.example/"))
    for bad in (nested[:-4] + b"\1\2\3\4", overwritten(nested, 200, b"X")):
        found, (damage,) = split(read(FRAMES[0] + bad + FRAMES[1])[0])
        assert [r.url for r in found] == ["http://a.example/0", "http://a.example/1"]
        assert damage.url == "http://nested.example/"


@pytest.mark.parametrize("claim", [0, 5, 40, 4_000_000_000])
def test_a_skippable_frame_of_a_wrong_length_costs_no_record(claim: int) -> None:
    bad = skippable(b"x" * 30)
    data = FRAMES[0] + bad[:4] + claim.to_bytes(4, "little") + bad[8:] + b"".join(FRAMES[1:])
    found, damages = split(read(data)[0])
    assert [r.url for r in found] == [f"http://a.example/{i}" for i in range(COUNT)]
    assert sum(damage.location.length for damage in damages) <= len(bad)


def test_a_skippable_frame_that_leads_to_a_nested_frame_costs_no_record() -> None:
    nested = FRAMES[3]
    record = raw_frame(warc(page(9) + nested, "http://nested.example/"))
    claim = 100 + record.index(nested)
    bad = b"\x50\x2a\x4d\x18" + claim.to_bytes(4, "little") + b"x" * 100
    found, (damage,) = split(read(FRAMES[0] + bad + record + FRAMES[1])[0])
    assert [r.url for r in found] == ["http://a.example/0", "http://nested.example/", "http://a.example/1"]
    assert damage.location.length == len(bad)


@pytest.mark.slow
def test_a_file_cut_anywhere_keeps_what_came_before() -> None:
    parts = pages(3, 200)
    for data in (frames(parts), b"".join(map(raw_frame, parts)), frame(b"".join(parts))):
        whole = records(data)
        for size in range(len(data)):
            found, damages = split(read(data[:size])[0])
            complete = [r for r in found if not r.truncated]
            assert [r.block for r in complete] == [r.block for r in whole[: len(complete)]]
            assert len(damages) <= 1
            assert len(found) - len(complete) <= 1
            if data == frames(parts) and len(data) - 50 < size:
                assert len(complete) == 2
                assert found[2:] or damages[0].reason is RejectReason.TRUNCATED_MEMBER


def test_trailing_garbage_is_one_damage() -> None:
    for garbage in (b"Donkey Kong\n" * 70, b"\x28\xb5\x2f\xfdjunk" * 50, packed(b"x"), b"x" * 200_000):
        for last in (FRAMES[0], frame(PARTS[0], checksum=False), raw_frame(PARTS[0], checksum=False)):
            found, (damage,) = split(read(last + garbage)[0])
            assert [r.block for r in found] == [page(0, 20_000)]
            assert damage.location.offset == len(last)
            assert damage.location.length == len(garbage)


def test_a_start_that_is_damaged_does_not_cost_the_file() -> None:
    found, (damage,) = split(read(b"XXXXXXXX" + b"".join(FRAMES)[8:])[0])
    assert [r.url for r in found] == [f"http://a.example/{i}" for i in range(1, COUNT)]
    assert (damage.location.offset, damage.location.length) == (0, len(FRAMES[0]))


def test_a_window_over_the_bound_is_a_damage_of_the_frame_alone() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=28, write_content_size=0, write_checksum=1)
    wide = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    wide_frame = wide.compress(PARTS[BAD]) + wide.flush()
    assert zstandard.get_frame_parameters(wide_frame).window_size == 2 * MAX_WINDOW
    data, at = with_bad(wide_frame)
    found, (damage,) = split(read(data)[0])
    assert_others_intact(found)
    assert (damage.location.offset, damage.location.length) == (at, len(wide_frame))
    parameters = zstandard.ZstdCompressionParameters(window_log=27, write_content_size=0, write_checksum=1)
    granted = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    assert len(records(granted.compress(PARTS[0]) + granted.flush() + FRAMES[1])) == 2


MEBI = 1 << 20


@pytest.mark.parametrize("kind", [b"response", b"metadata"])
def test_a_bomb_stays_flat_in_memory_and_costs_no_neighbour(kind: bytes) -> None:
    size = 64 * MEBI
    stream = zstandard.ZstdCompressor(1, write_checksum=True).compressobj()
    head = b"WARC/1.0\r\nWARC-Type: %s\r\nContent-Length: %d\r\n\r\n" % (kind, size)
    bomb = b"".join(
        [stream.compress(head), *(stream.compress(b"\0" * MEBI) for _ in range(64)), stream.flush()]
    )
    assert len(bomb) < 100_000
    tracemalloc.start()
    items = list(
        read_records(
            io.BytesIO(FRAMES[0] + bomb + FRAMES[1]),
            FileRange(source="s", size=len(FRAMES[0]) + len(bomb) + len(FRAMES[1])),
            max_block=MEBI,
        )
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [item.url for item in items[:-1] if isinstance(item, Record)] == [
        "http://a.example/0",
        None,
        "http://a.example/1",
    ]
    assert peak < 12 * MEBI


@pytest.mark.slow
def test_no_mutation_raises_or_costs_another_frame() -> None:
    chance = random.Random(5)
    for _ in range(200):
        checksum = chance.random() < 0.5
        pack = chance.choice([frame, raw_frame])
        good = [pack(part, checksum=checksum) for part in PARTS]
        bad = bytearray(good[BAD])
        for _ in range(chance.choice([1, 1, 2, 50])):
            bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        if chance.random() < 0.3:
            del bad[chance.randrange(len(bad)) :]
        found, _damages = split(read(with_bad(bytes(bad), good)[0])[0])
        others = [(r.url, r.block) for r in found if r.url != f"http://a.example/{BAD}"]
        expected = [(f"http://a.example/{i}", page(i, 20_000)) for i in range(COUNT) if i != BAD]
        assert [(url, block) for url, block in others if url in dict(expected)] == expected


@pytest.mark.parametrize("checksum", [True, False])
def test_the_length_of_a_record_in_a_frame_of_several_covers_the_frame(checksum: bool) -> None:
    data = frame(b"".join(pages(3)), checksum=checksum)
    assert {record.location.length for record in records(data)} == {len(data)}
