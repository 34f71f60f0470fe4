"""Mutation fuzzing of the WARC reader: `python -m tests.fuzz.fuzz_warc --records 100000 --seed 1`.

Archives of every form are made, damaged, and read. What must hold of each: nothing raises or takes long
(of the processor: the machine may be busy); the records that the damage does not touch come out as they do
from the sound archive; the books balance; what is in no item is empty; and the ranges of any split chain to
the sequential reading. A failure names its round, which is made again by `--seed S --round R`.

A record is touched where a unit (member, frame, plain record) that holds bytes of it was changed, or the
border between two of them. One that is not touched must be found, but where the damaged bytes do not tell:

- Nested. Its bytes stand whole in the block of a record that is not truncated: that has as many bytes as its
  header declares, with a record or the end right behind. Byte for byte, such a file could be a sound one, in
  which the record is nested. Nothing is lost: it is in that block.
- Skippable. Its units stand whole in a skippable frame that is not one of the archive's own: damage made one,
  or changed the length of one, and the length leads to a frame or the end. Such a file, too, could be a sound
  one: a reader does not look into a skippable frame.
- Another container. What a file is shows in its first record. Here the damage lies before the first unit that
  is whole and begins a record, and there stands what begins a record in another container.
- A dictionary, without which no frame inflates, is damaged or no longer the first frame.
- A plain ARC file is damaged right beside the record. ARC has no mark but its line: what precedes it must end
  in a line end, and only a line in the right place tells that a length is right.
"""

from __future__ import annotations

import argparse
import faulthandler
import io
import random
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import zstandard

from cedar.transforms.model.records import Record
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, chains, is_splittable, read_records
from tests.fuzz.archives import Archive, make

SECONDS = 10.0
"""Time of the processor that one archive may take."""

_VARIANTS = 6  # damaged copies of an archive
_PADDING = b"\0\t\n\v\f\r "


@dataclass(frozen=True, slots=True)
class Mutant:
    """A damaged archive.

    Attributes:
        data: its bytes.
        touched: whether damage was done to a unit (by its number), or to the border before it.
        what: what was done, for people.
    """

    data: bytes
    touched: Callable[[int, int], bool]
    what: str


@dataclass(slots=True)
class Tally:
    """What a run has done."""

    archives: int = 0
    records: int = 0
    lost: int = 0
    damages: int = 0
    repaired: int = 0
    slowest: float = 0.0
    forms: Counter[str] = field(default_factory=Counter)


def mutate(chance: random.Random, archive: Archive) -> Mutant:
    """Damage an archive in one to three ways."""
    units = list(archive.units)
    order = list(range(len(units)))
    bad: set[int] = set()
    borders: set[int] = set()  # number of the unit behind the border
    inserted: list[tuple[int, bytes]] = []
    what = []
    for _ in range(chance.choice([1, 1, 2, 3])):
        number = chance.randrange(len(units))
        unit = bytearray(units[number])
        at = chance.randrange(len(unit)) if unit else 0
        size = chance.choice([1, 3, 20, 300])
        operation = chance.choice(_OPERATIONS)
        what.append(f"{operation} {number}")
        match operation:
            case "flip" if unit:
                unit[at] ^= 1 << chance.randrange(8)
                bad.add(number)
            case "overwrite":
                unit[at : at + size] = chance.choice([chance.randbytes(size), b"\0" * size, b"\xff" * size])
                bad.add(number)
            case "delete":
                del unit[at : at + size]
                bad.add(number)
            case "insert":
                unit[at:at] = chance.randbytes(size)
                bad.add(number)
            case "cut":
                del unit[at:]
                bad.add(number)
            case "remove":
                unit.clear()
                bad.add(number)
            case "insert between":
                inserted.append((number, chance.choice([chance.randbytes(size), b"\0" * size])))
                borders.add(number)
            case "duplicate":
                inserted.append((chance.randrange(len(units)), units[number]))
                borders.add(inserted[-1][0])
            case "swap":
                other = chance.randrange(len(units))
                order[number], order[other] = order[other], order[number]
                borders |= {number, number + 1, other, other + 1, order[number], order[number] + 1}
                borders |= {order[other], order[other] + 1}
            case "splice" if number + 1 < len(units):
                other = min(len(units) - 1, number + chance.randrange(1, 4))
                del unit[at:]
                for between in range(number + 1, other):
                    units[between] = b""
                units[other] = units[other][chance.randrange(len(units[other]) + 1) :]
                bad.update(range(number, other + 1))
            case "cut the file":
                del unit[at:]
                for behind in range(number + 1, len(units)):
                    units[behind] = b""
                bad.update(range(number, len(units)))
        units[number] = bytes(unit)
    parts = []
    sound: int | None = None  # where the first unit stands that is whole and begins a record
    begins = {first for first, _ in archive.spans} if archive.aligned else {0}
    for place, number in enumerate(order):
        parts += [data for before, data in inserted if before == place]
        if sound is None and number in begins - bad:
            sound = sum(map(len, parts))
        parts.append(units[number])
    data = b"".join(parts)
    beginning = data[:sound]
    lost_base = any(n < archive.base for n in bad) or any(n <= archive.base for n in borders if archive.base)

    if archive.form == "ARC, plain":
        bad |= {n + 1 for n in bad} | {n - 1 for n in bad} | borders | {n - 1 for n in borders}

    if beginning != b"".join(archive.units)[: len(beginning)]:
        lost_base |= any(mark in beginning for mark in _foreign_marks(archive.form))

    def touched(first: int, last: int) -> bool:
        return lost_base or any(first <= n <= last for n in bad) or any(first < n <= last for n in borders)

    return Mutant(data, touched, ", ".join(what))


def _foreign_marks(form: str) -> list[bytes]:
    """What begins records in the containers that a file of this form is not."""
    marks = {"plain": _PLAIN_MARKS, "gzip": [b"\x1f\x8b\x08"], "zstd": [b"\x28\xb5\x2f\xfd"]}
    own = form.removeprefix("ARC, ").split()[0].rstrip(",")
    return [mark for container, of in marks.items() if container != own for mark in of]


_PLAIN_MARKS = [b"WARC/1.0\r\n", b" 192.0.2.1 "]
_OPERATIONS = [
    "flip",
    "flip",
    "overwrite",
    "delete",
    "insert",
    "cut",
    "remove",
    "insert between",
    "duplicate",
    "swap",
    "splice",
    "cut the file",
]


def read(data: bytes, start: int = 0, stop: int | None = None) -> tuple[list[Record | Damage], ReadEnd]:
    """The items of a range; its books must balance."""
    span = FileRange(source="s", size=len(data), start=start, stop=stop)
    *items, end = read_records(io.BytesIO(data), span)
    assert isinstance(end, ReadEnd)
    assert end.records_read == len(items)
    assert end.first_offset == (items[0].location.offset if items else None)
    offsets = [item.location.offset for item in items]
    assert offsets == sorted(offsets), "items out of order"
    return items, end  # type: ignore[return-value]


def read_chained(data: bytes, cuts: list[int]) -> tuple[list[Record | Damage], int]:
    """The items of all ranges between `cuts`, read apart and repaired, and how many had to be repaired."""
    items: list[Record | Damage] = []
    previous, repaired = 0, 0
    for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True):
        found, end = read(data, start, stop)
        if not chains(previous, end.first_offset, end.next_offset):
            repaired += 1
            found, end = read(data, previous, stop)
            assert chains(previous, end.first_offset, end.next_offset), "a repaired range does not chain"
        items += found
        previous = max(previous, end.next_offset)
    assert previous == len(data), "the last range does not reach the end"
    return items, repaired


def check(
    archive: Archive, clean: dict[str | None, tuple[object, ...]], mutant: Mutant
) -> list[Record | Damage]:
    """Read a mutant from start to end; what it leaves alone must be as it was."""
    items, end = read(mutant.data)
    assert end.next_offset == len(mutant.data)
    assert items, "an archive without an item"
    found = Counter(_identity(item, archive) for item in items if isinstance(item, Record))
    skippable = [frame for frame in _passed_over(mutant.data, items) if frame not in archive.units]
    for url, record, (first, last) in zip(archive.urls, archive.records, archive.spans, strict=True):
        if not (mutant.touched(first, last) or found[clean[url]]):
            inside = any(
                isinstance(item, Record) and not item.truncated and record.rstrip() in item.block
                for item in items
            )
            units = b"".join(archive.units[first : last + 1])
            assert inside or any(units in frame for frame in skippable), f"{url} is lost, or not what it was"
    return items


def identities(archive: Archive) -> dict[str | None, tuple[object, ...]]:
    """Read a sound archive: what each record is, by its URL; all must come, in order, and nothing else."""
    items, _ = read(b"".join(archive.units))
    assert [item.url for item in items if isinstance(item, Record)] == archive.urls
    assert len(items) == len(archive.urls)
    return {item.url: _identity(item, archive) for item in items if isinstance(item, Record)}


def _identity(record: Record, archive: Archive) -> tuple[object, ...]:
    place = (record.location.length, record.location.inner_offset) if archive.aligned else ()
    return (
        record.kind,
        record.url,
        record.date,
        record.content_type,
        record.block,
        record.truncated,
        *place,
    )


def _passed_over(data: bytes, items: list[Record | Damage]) -> Iterator[bytes]:
    """Find the skippable frames between the items; nothing else is there but what is empty.

    Raises:
        AssertionError: what is in no item is not empty.
    """
    reached = 0
    for item in [*items, None]:
        offset = len(data) if item is None else item.location.offset
        if offset > reached:
            frames = _skippable_frames(data[reached:offset], data[offset : offset + 4])
            assert frames is not None, f"bytes from {reached} to {offset} are in no item"
            yield from frames
        if item is not None:
            reached = max(reached, item.location.end)


def _skippable_frames(data: bytes, behind: bytes) -> list[bytes] | None:
    """The skippable frames in `data`; None where in members or between them stands more than padding.

    Args:
        data: what stands between two items.
        behind: the first bytes of what comes next. A skippable frame must lead to a frame or to the end.
    """
    frames = []
    while data := data.lstrip(_PADDING):
        if data.startswith(b"\x1f\x8b\x08"):
            inflater = zlib.decompressobj(31)
            inside, data = inflater.decompress(data), inflater.unused_data
            if not inflater.eof:
                return None
        elif data.startswith(b"\x28\xb5\x2f\xfd"):
            frame = zstandard.ZstdDecompressor().decompressobj()
            # in two steps, for in one the size that the header of an empty frame states would be checked
            inside = frame.decompress(data[:5]) + frame.decompress(data[5:])
            data = frame.unused_data
        elif data[1:4] == b"\x2a\x4d\x18":
            end = 8 + int.from_bytes(data[4:8], "little")
            inside, skipped, data = b"", data[:end], data[end:]
            following = (data + behind).lstrip(_PADDING)
            is_frame = following.startswith(b"\x28\xb5\x2f\xfd") or following[1:4] == b"\x2a\x4d\x18"
            if len(skipped) < end or (following and not is_frame):
                return None
            frames.append(skipped)
        else:
            return None
        if inside.strip(_PADDING):
            return None
    return frames


def fuzz_round(seed: int, number: int, tally: Tally) -> None:
    """One archive, sound and in some damaged copies.

    Raises:
        AssertionError: the reader is at fault; the message says how to see it again.
    """
    chance = random.Random(f"{seed} {number}")
    archive = make(chance)
    tally.forms[archive.form] += 1
    what = "sound"
    try:
        clean = identities(archive)
        for _ in range(_VARIANTS):
            mutant = mutate(chance, archive)
            what, data = mutant.what, mutant.data
            started = time.process_time()
            faulthandler.dump_traceback_later(12 * SECONDS, exit=True)  # by the clock: it may wait, too
            items = check(archive, clean, mutant)
            cuts = sorted(
                chance.randrange(1, len(data)) for _ in range(min(len(data) - 1, chance.randrange(1, 5)))
            )
            chained, repaired = read_chained(data, cuts)
            assert chained == items, f"the ranges {cuts} are not the sequential reading"
            is_splittable(io.BytesIO(data), len(data))
            faulthandler.cancel_dump_traceback_later()
            taken = time.process_time() - started
            assert taken < SECONDS, f"took {taken:.1f} s of the processor"
            tally.archives += 1
            tally.records += len(archive.urls)
            tally.lost += sum(mutant.touched(*span) for span in archive.spans)
            tally.damages += sum(isinstance(item, Damage) for item in items)
            tally.repaired += repaired
            tally.slowest = max(tally.slowest, taken)
    except Exception as error:
        raise AssertionError(f"--seed {seed} --round {number} ({archive.form}; {what}): {error!r}") from error


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line; 0 where nothing was found."""
    parser = argparse.ArgumentParser(description="Mutation fuzzing of the WARC reader.")
    parser.add_argument(
        "--records", type=int, default=100_000, help="records to read, about (default: 100000)"
    )
    parser.add_argument("--seed", type=int, default=None, help="seed of all rounds (default: the clock)")
    parser.add_argument("--round", type=int, default=None, help="this round of the seed alone")
    parser.add_argument("--keep-going", action="store_true", help="count failures instead of ending at one")
    options = parser.parse_args(arguments)
    seed = time.time_ns() % 1_000_000 if options.seed is None else options.seed
    tally, number, failures = Tally(), options.round or 0, 0
    started = time.perf_counter()
    _say(f"seed {seed}")
    while tally.records < options.records:
        try:
            fuzz_round(seed, number, tally)
        except AssertionError as error:
            failures += 1
            _say(str(error))
            if not options.keep_going:
                raise
        number += 1
        if options.round is not None:
            break
    seconds = time.perf_counter() - started
    _say(
        f"{tally.records} records in {tally.archives} damaged archives of {len(tally.forms)} forms, "
        f"{tally.lost} of them touched, {tally.damages} damages, {tally.repaired} ranges repaired, "
        f"{failures} failures; {seconds:.0f} s, {tally.records / seconds:.0f} records/s, "
        f"slowest archive {tally.slowest:.2f} s"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
