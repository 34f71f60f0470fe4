"""Hostile archives: memory stays flat, time grows with the input and no faster."""

from __future__ import annotations

import gzip
import io
import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import Record
from cedar.transforms.warc.members import FileWindow
from cedar.transforms.warc.reader import Damage, FileRange, read_records
from cedar.transforms.warc.zstd_frames import ZstdFrames
from tests.helpers.shapes import assert_time_is_linear, cpu_seconds
from tests.warc.warc_samples import frame, packed, page, pages, read, records, skippable, split, stored, warc


def bomb(head: bytes, filler: bytes, times: int) -> bytes:
    """A gzip member of `head` and `times` times `filler`."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1, mtime=0) as file:
        file.write(head)
        for _ in range(times):
            file.write(filler)
    return out.getvalue()


MEBI = 1 << 20
SIZE = 32 * MEBI
BIG = b"WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: http://big.example/\r\n%s\r\n"


@pytest.mark.parametrize(
    "head",
    [
        BIG % (b"response", b"Content-Length: %d\r\n" % SIZE),
        BIG % (b"metadata", b"Content-Length: %d\r\n" % SIZE),
        BIG % (b"response", b""),
        BIG % (b"response", b"Content-Length: 100\r\n"),
        BIG.removesuffix(b"\r\n") % (b"response", b"X-Long: "),
        b"WARC/1.0\r\n\r\n",
        b"",
    ],
    ids=["response", "skipped", "no length", "length too small", "header", "bare header", "no record"],
)
def test_a_bomb_stays_flat_in_memory_and_costs_no_neighbour(head: bytes) -> None:
    (before, after) = map(packed, pages(2))
    data = before + bomb(head, b"a" * MEBI, SIZE // MEBI) + after
    tracemalloc.start()
    found, _ = split(read(data, kinds=frozenset({"response"}), max_block=MEBI)[0])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    urls = [r.url for r in found]
    assert [urls[0], urls[-1]] == ["http://a.example/0", "http://a.example/1"]
    assert peak < 12 * MEBI
    assert all(len(r.block) <= MEBI for r in found)


def seconds(data: bytes) -> float:
    """CPU time of a reading."""
    return cpu_seconds(lambda: list(read_records(io.BytesIO(data), FileRange(source="s", size=len(data)))))


def lines(line: bytes) -> Callable[[int], bytes]:
    """A record whose header holds `line` again and again."""
    return lambda size: (
        b"WARC/1.0\r\nWARC-Type: response\r\n" + line * (size // len(line)) + b"\r\n" + pages(1)[0]
    )


def overlapping(size: int) -> bytes:
    """Members that begin inside of each other, each stored block leading to the end of the one before."""
    head = b"WARC/1.0\r\nA: "
    unit, parts = 10 + 5 + len(head), []
    for left in range(size // unit, 0, -1):
        rest = min(len(head) + (left - 1) * unit, 65535)
        block = b"\0" + rest.to_bytes(2, "little") + (rest ^ 0xFFFF).to_bytes(2, "little")
        parts.append(b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + block + head)
    return b"".join(parts)


def numbered(length: Callable[[int], int]) -> Callable[[int], bytes]:
    """Records without a block, each of which claims one of `length(size)` bytes."""

    def make(size: int) -> bytes:
        record = b"WARC/1.0\nWARC-Type: response\nContent-Length: %d\n\n" % length(size)
        return record * (size // len(record)) + b"x"

    return make


def landing_on_padding(size: int) -> bytes:
    """Records without a block, each of which claims all bytes up to a long run of padding."""
    unit = len(b"WARC/1.0\nWARC-Type: response\nContent-Length: 000000\n\n")
    count = size // 2 // unit
    lengths = (unit * left for left in range(count - 1, -1, -1))
    claims = b"".join(
        b"WARC/1.0\nWARC-Type: response\nContent-Length: %06d\n\n" % length for length in lengths
    )
    return claims + b"\0" * (size // 2) + b"x"


def frames_in_skippable_frames(size: int) -> bytes:
    """Skippable frames, in each of which a frame begins that ends far behind it, and is not sound."""
    inner = b"\x28\xb5\x2f\xfd\0\x50" + (100_000 << 3).to_bytes(3, "little") + b"WARC/1.0\nA:"
    return frame(pages(1)[0]) + skippable(inner) * (size // (8 + len(inner)))


def first_lines_over_members(size: int) -> bytes:
    """Members that begin inside of each other and share their data, in which a first line begins."""
    extras = (min(12 * left, 65535).to_bytes(2, "little") for left in reversed(range(size // 24)))
    headers = b"".join(b"\x1f\x8b\x08\x04\0\0\0\0\0\xff" + extra for extra in extras)
    scheme = stored(b"a:")
    return headers + scheme[10:] + scheme * (size // 2 // len(scheme))


STORMS: dict[str, tuple[Callable[[int], bytes], int]] = {
    "continuation lines": (lines(b" a\r\n"), 1 << 20),
    "empty fields": (lines(b":\n"), 1 << 20),
    "version lines": (lambda size: b"WARC/1.0\n" * (size // 9), 1 << 15),
    "version lines and a field": (lambda size: b"WARC/1.0\nA:\n" * (size // 12), 1 << 15),
    "half version lines": (lambda size: b"WARC/" * (size // 5), 1 << 20),
    "record starts in a header": (lambda size: pages(1)[0] + b"x" + b"\nWARC/1." * (size // 8), 1 << 20),
    "gzip magic": (lambda size: packed(pages(1)[0]) + b"\x1f\x8b\x08" * (size // 3), 1 << 15),
    "gzip headers": (
        lambda size: packed(pages(1)[0]) + b"\x1f\x8b\x08\0\0\0\0\0\0\xff" * (size // 10),
        1 << 18,
    ),
    "gzip headers with names": (
        lambda size: packed(pages(1)[0]) + b"\x1f\x8b\x08\x1f" * (size // 4),
        1 << 17,
    ),
    "cut members": (lambda size: packed(pages(1)[0])[:-9] * (size // 250), 1 << 17),
    "overlapping members": (overlapping, 1 << 16),
    "frames in skippable frames": (frames_in_skippable_frames, 1 << 15),
    "first lines over members": (first_lines_over_members, 1 << 16),
    "members of a letter": (lambda size: stored(b"W") * (size // 24), 1 << 14),
    "empty members": (lambda size: packed(b"") * (size // 20), 1 << 16),
    "lengths to the end": (numbered(lambda size: size), 1 << 16),
    "lengths over what is in hand": (numbered(lambda _: 300_000), 1 << 18),
    "lengths into the middle": (numbered(lambda _: 100_001), 1 << 16),
    "lengths up to a run of padding": (landing_on_padding, 1 << 17),
    "arc lines": (lambda size: b"http://a/ 192.0.2.1 20080430204825 t 9999\n" * (size // 42), 1 << 16),
    "arc lines of colons": (lambda size: (b"a://a " + b":" * 3000 + b" 9\n") * (size // 3000), 1 << 17),
    "schemes": (lambda size: pages(1)[0] + b"x\n" + b"http: a 1\n" * (size // 10), 1 << 19),
    "padding": (lambda size: packed(pages(1)[0]) + b"\0\r\n " * (size // 4), 1 << 20),
    "padding in a stream": (lambda size: packed(pages(1)[0] + b"\0\r\n " * (size // 4)), 1 << 20),
    "padding behind short records": (
        lambda size: packed((pages(1)[0] + b"\0" * 4000 + b"x") * (size // 4500)),
        1 << 19,
    ),
    "continuation lines in a member": (lambda size: packed(lines(b" a\r\n")(size)), 1 << 19),
    "lengths in a member": (lambda size: packed(numbered(lambda _: 100_001)(size)), 1 << 17),
    "records in a stored member": (lambda size: stored(b"".join(pages(1)) * (size // 500)), 1 << 18),
}


@pytest.mark.slow
@pytest.mark.parametrize(("make", "size"), STORMS.values(), ids=STORMS.keys())
def test_time_at_most_trebles_for_each_doubling_of_the_input(make: Callable[[int], bytes], size: int) -> None:
    assert_time_is_linear(seconds, make, size // 2)


def test_members_that_share_a_long_tail_do_not_each_inflate_it() -> None:
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    tail = deflater.compress(b"\0" * (8 * MEBI)) + deflater.flush()[:-6]
    shared, whole = overlapping(60_000) + tail, packed(b"\0" * (8 * MEBI))
    assert any(seconds(shared) < 40 * seconds(whole) for _ in range(3))


def test_a_storm_does_not_hide_the_record_behind_it() -> None:
    record = warc(page(77), "http://last.example/")
    for name, (make, size) in STORMS.items():
        data = make(size // 8)
        last = {b"\x1f\x8b": packed, b"\x28\xb5": frame}.get(data[:2], bytes)(record)
        *_, item = read(data + b"\n" + last)[0]
        assert isinstance(item, Record), name
        assert item.url == "http://last.example/", name


def test_a_header_of_continuation_lines_is_capped() -> None:
    header = b"WARC/1.0\r\nX: y" + b"\r\n z" * MEBI + b"\r\n\r\n"
    (item, follower), _ = read(packed(header) + packed(pages(1)[0]))
    assert not isinstance(item, Record)
    assert item.reason is RejectReason.TOO_LARGE
    assert isinstance(follower, Record)


def test_a_field_folded_over_many_lines_is_joined() -> None:
    folded = "X: y" + "\r\n z" * 9000
    assert records(warc(page(0), more=[folded]))[0].block == page(0)


@pytest.mark.parametrize("unit", [b"WARC/1.0\r\n", b"warc/0.17\n"])
def test_version_lines_without_end_are_one_damage(unit: bytes) -> None:
    before, after = pages(2)
    data = before + unit * 200_000 + after
    items, _ = read(data)
    assert [type(item) for item in items] == [Record, Damage, Record]
    assert items[1].location.length == len(unit) * 200_000
    assert items[2].url == "http://a.example/1"


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 1, 300])
def test_a_million_skippable_frames_are_passed_in_long_runs(size: int) -> None:
    first, last = map(frame, pages(2))
    filler = skippable(b"x" * size) * (1 << 16)
    data = first + filler + last
    window = FileWindow(io.BytesIO(data), len(data))
    container = ZstdFrames(window)
    at, opened = len(first), 0
    while at < len(first) + len(filler):
        member = container.open(at)
        assert member is not None
        at, opened = member.end, opened + 1
    assert at == len(first) + len(filler)
    assert opened < len(filler) / (8 * 1024) + 10
    assert [item.url for item in records(data)] == ["http://a.example/0", "http://a.example/1"]


@pytest.mark.parametrize("kind", ["resource", "response"])
def test_a_long_block_in_plain_bytes_is_not_read_beyond_what_is_kept(kind: str) -> None:
    before, after = pages(2)
    long = warc(b"a film " * (4 * MEBI), kind=kind)
    items, end = read(before + long + after, kinds=frozenset({"response"}), max_block=MEBI)
    assert [item.location.length for item in items] == [len(part) - 4 for part in (before, long, after)]
    assert [len(item.block) for item in items[1:2]] == [MEBI if kind == "response" else 0]
    assert items[2].block == page(1)
    assert end.bytes_in < 8 * MEBI
