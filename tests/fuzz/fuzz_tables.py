"""Mutation fuzzing of the readers of tables and WACZ: `python -m tests.fuzz.fuzz_tables --records 100000`.

Files of every form are made, damaged, and read. What must hold of each: nothing raises but OSError, which
says that the file cannot be read, nor takes long; the books balance; the ranges of a file that may be split
chain to the sequential reading; and records that the damage does not touch come out as they were: lines of
JSON, row groups whose bytes and footer are whole, members of a zip whose bytes and directory are. Footers of
Parquet are let be: of some that are broken, Arrow ends the process. A failure names its round, which is made
again by `--seed S --round R`.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from cedar.transforms.model.records import Record
from cedar.transforms.readers.choices import ReadOptions
from cedar.transforms.readers.kinds import kind_of
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, chains
from tests.fuzz.archives import warc

SECONDS = 60.0
"""Time of the processor that one file may take: Arrow makes room for all that a broken page claims."""

_VARIANTS = 6  # damaged copies of a file
_WORDS = ["heron ", "stone ", "<p>", "</p>\n", "Fjord ", '"quoted" ', "\u2028", "図書館 "]

Found = list[Record | Damage]


@dataclass(frozen=True, slots=True)
class Table:
    """A file, and which bytes [start, stop) each of its records cannot do without; of all, `shared` ones."""

    name: str
    data: bytes
    urls: list[str]
    needs: list[tuple[int, int]]
    shared: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class Tally:
    """What a run has done."""

    files: int = 0
    records: int = 0
    spared: int = 0
    damages: int = 0
    refused: int = 0
    slowest: float = 0.0
    forms: Counter[str] = field(default_factory=Counter)


def _pages(chance: random.Random) -> list[tuple[str, str]]:
    size = chance.choice([1, 5, 40, 400])
    return [
        (f"http://a.example/{n}", "".join(chance.choices(_WORDS, k=chance.randrange(size))) + f"page {n}")
        for n in range(chance.choice([1, 2, 7, 30]))
    ]


def _parquet(chance: random.Random) -> Table:
    pages, sink = _pages(chance), io.BytesIO()
    urls, texts = (list(column) for column in zip(*pages, strict=True))
    table = pa.table({"url": urls, "html": texts if chance.random() < 0.5 else [t.encode() for t in texts]})
    compression, group = chance.choice(["none", "snappy", "gzip", "zstd"]), chance.choice([1, 3, 10])
    pq.write_table(
        table, sink, compression=compression, row_group_size=group, use_dictionary=chance.random() < 0.5,
        write_page_checksum=True,
    )  # fmt: skip
    data = sink.getvalue()
    metadata = pq.ParquetFile(io.BytesIO(data)).metadata
    needs, end = [], 0
    for number in range(metadata.num_row_groups):
        rows, start = metadata.row_group(number), end or 4
        last = rows.column(rows.num_columns - 1)
        end = (last.dictionary_page_offset or last.data_page_offset) + last.total_compressed_size
        needs += [(start, end)] * rows.num_rows
    return Table(f"{compression}.parquet", data, urls, needs, (end, len(data)))


def _lines(chance: random.Random) -> Table:
    pages = _pages(chance)
    lines = [json.dumps({"url": url, "html": text}).encode() + b"\n" for url, text in pages]
    suffix, pack = chance.choice(_PACKED)
    parts, needs, data = [lines[at : at + 5] for at in range(0, len(lines), 5)], [], b""
    for part in parts:
        packed = [pack(b"".join(part))] if suffix else part
        for piece in packed:
            # A line begins where one ends.
            span = (len(data) if suffix else max(0, len(data) - 1), len(data) + len(piece))
            needs += [span] * (len(part) if suffix else 1)
            data += piece
    # Whether a file is packed is seen in its first bytes.
    return Table(f"a.jsonl{suffix}", data, [url for url, _ in pages], needs, (0, 4 if suffix else 0))


_PACKED: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("", bytes),
    (".gz", lambda data: gzip.compress(data, mtime=0)),
    (".zst", zstandard.ZstdCompressor(write_checksum=True).compress),
]


def _wacz(chance: random.Random) -> Table:
    pages, sink, needs = _pages(chance), io.BytesIO(), []
    method = chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    with zipfile.ZipFile(sink, "w", method) as file:
        for at in range(0, len(pages), 4):
            start, some = sink.tell(), pages[at : at + 4]
            records = (gzip.compress(warc(text.encode(), url), mtime=0) for url, text in some)
            file.writestr(f"archive/{at}.warc.gz", b"".join(records))
            needs += [(start, sink.tell())] * len(some)
        end = sink.tell()
    form = "stored" if method == zipfile.ZIP_STORED else "deflated"
    return Table(
        f"{form}.wacz", sink.getvalue(), [url for url, _ in pages], needs, (end, len(sink.getvalue()))
    )


_FORMS = (_parquet, _lines, _lines, _wacz)


def mutate(chance: random.Random, data: bytes) -> tuple[bytes, list[int], str]:
    """Damage a file; also the places of bytes that are others, where the rest stands where it stood."""
    found, changed, what = bytearray(data), [], []
    for _ in range(chance.choice([1, 1, 2, 3])):
        at, size = chance.randrange(max(1, len(found))), chance.choice([1, 3, 20, 300])
        operation = chance.choice(["flip", "flip", "overwrite", "delete", "insert", "cut"])
        what.append(f"{operation} at {at}")
        match operation:
            case "flip" if found:
                found[at] ^= 1 << chance.randrange(8)
                changed.append(at)
            case "overwrite":
                found[at : at + size] = chance.randbytes(min(size, len(found) - at))
                changed += range(at, min(at + size, len(found)))
            case "delete":
                del found[at : at + size]
                changed += range(at, len(data))
            case "insert":
                found[at:at] = chance.randbytes(size)
                changed += range(at, len(data))
            case "cut":
                del found[at:]
                changed += range(at, len(data))
    return bytes(found), changed, ", ".join(what)


def read(name: str, data: bytes, start: int = 0, stop: int | None = None) -> tuple[Found, ReadEnd]:
    """The items of a range; its books must balance."""
    span = FileRange(source=name, size=len(data), start=start, stop=stop)
    *items, end = kind_of(name).read(io.BytesIO(data), span, ReadOptions())
    assert isinstance(end, ReadEnd)
    assert end.records_read == len(items), "the books do not balance"
    return items, end  # type: ignore[return-value]


def _chained(name: str, data: bytes, cuts: list[int]) -> Iterator[Record | Damage]:
    previous = 0
    for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True):
        found, end = read(name, data, start, stop)
        if not chains(previous, end.first_offset, end.next_offset):
            found, end = read(name, data, previous, stop)
            assert chains(previous, end.first_offset, end.next_offset), "a repaired range does not chain"
        yield from found
        previous = max(previous, end.next_offset)


def check(table: Table, data: bytes, changed: list[int], cuts: list[int], tally: Tally) -> None:
    """Read a damaged file whole and in ranges; what the damage leaves alone must be as it was."""
    try:
        items, _ = read(table.name, data)
    except OSError:
        tally.refused += 1
        assert changed, "a sound file is refused"
        return
    tally.damages += sum(isinstance(item, Damage) for item in items)
    if kind_of(table.name).is_splittable(io.BytesIO(data), len(data)):
        chained = list(_chained(table.name, data, cuts))
        assert chained == items, f"the ranges {cuts} are not the sequential reading"
    found = {(item.url, item.block) for item in items if isinstance(item, Record)}
    whole = {item.url: item.block for item in read(table.name, table.data)[0] if isinstance(item, Record)}
    assert list(whole) == table.urls, "not all records of the sound file are found"
    bad = Counter(changed)
    if any(place in bad for place in range(*table.shared)):
        return
    for url, (start, stop) in zip(table.urls, table.needs, strict=True):
        if not any(place in bad for place in range(start, stop)):
            tally.spared += 1
            assert (url, whole[url]) in found, f"{url} is lost, or not what it was"


def fuzz_round(seed: int, number: int, tally: Tally) -> None:
    """One file, sound and in some damaged copies; raises AssertionError that says how to see it again."""
    chance = random.Random(f"{seed} {number}")
    table = chance.choice(_FORMS)(chance)
    tally.forms[table.name] += 1
    what = "sound"
    try:
        check(table, table.data, [], [], tally)
        for _ in range(_VARIANTS):
            footer = table.data[table.shared[0] :] if table.name.endswith(".parquet") else b""
            data, changed, what = mutate(chance, table.data[: len(table.data) - len(footer)])
            data += footer
            cuts = sorted(chance.randrange(1, max(2, len(data))) for _ in range(chance.randrange(1, 5)))
            started = time.process_time()
            check(table, data, changed, [cut for cut in cuts if cut < len(data)], tally)
            taken = time.process_time() - started
            assert taken < SECONDS, f"took {taken:.1f} s of the processor"
            tally.slowest = max(tally.slowest, taken)
            tally.files += 1
            tally.records += len(table.urls)
    except Exception as error:
        raise AssertionError(f"--seed {seed} --round {number} ({table.name}; {what}): {error!r}") from error


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line; 0 where nothing was found."""
    parser = argparse.ArgumentParser(description="Mutation fuzzing of the readers of tables and WACZ.")
    parser.add_argument(
        "--records", type=int, default=100_000, help="records to read, about (default: 100000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of all rounds (default: 1)")
    parser.add_argument("--round", type=int, default=None, help="this round of the seed alone")
    options = parser.parse_args(arguments)
    tally, number = Tally(), options.round or 0
    while tally.records < options.records:
        fuzz_round(options.seed, number, tally)
        number += 1
        if options.round is not None:
            break
    sys.stdout.write(
        f"{tally.records} records in {tally.files} damaged files of {len(tally.forms)} forms, "
        f"{tally.spared} of them spared, {tally.damages} damages, {tally.refused} files refused; "
        f"slowest {tally.slowest:.2f} s\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
