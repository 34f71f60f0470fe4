"""WACZ: the WARC files of a zip, in place; every record is there once, in whatever ranges."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import Record
from cedar.transforms.readers.choices import ReadOptions
from cedar.transforms.readers.wacz import read_wacz
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd
from tests.helpers.crawl import write_warc
from tests.readers.tables import in_ranges, items, places, read


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", method) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return sink.getvalue()


@pytest.fixture(scope="module")
def warcs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("warcs")
    paths = [write_warc(folder / f"{n}.warc.gz", 12, first=100 * n) for n in range(3)]
    return {f"archive/{path.name}": path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def wacz(warcs: dict[str, bytes]) -> bytes:
    first, *others = warcs.items()
    return zipped(dict([first, ("pages/pages.jsonl", b"{}\n" * 5000), *others, ("datapackage.json", b"{}")]))


def of_warcs(warcs: dict[str, bytes]) -> list[str | None]:
    return [item.url for data in warcs.values() for item in items("a.warc.gz", data)]


def test_records_are_those_of_the_files_in_order_and_at_their_places(
    wacz: bytes, warcs: dict[str, bytes]
) -> None:
    found = items("a.wacz", wacz)
    assert [item.url for item in found] == of_warcs(warcs)
    for record in found:
        (again, _) = read("a.warc.gz", wacz[record.location.offset : record.location.end])
        assert isinstance(again, Record)
        assert again.url == record.url


@given(step=st.integers(200, 30_000))
def test_ranges_chain_to_what_the_whole_file_gives(wacz: bytes, step: int) -> None:
    assert places(list(in_ranges("a.wacz", wacz, step))) == places(items("a.wacz", wacz))


@pytest.mark.parametrize("step", [700, 3_000, 1_000_000])
def test_records_that_nobody_wants_are_passed_over_in_each_file_and_counted(wacz: bytes, step: int) -> None:
    options = ReadOptions(is_wanted=lambda url: url.endswith("7"))
    whole = items("a.wacz", wacz)
    found, passed = [], 0
    for start in range(0, len(wacz), step):
        file_range = FileRange(
            source="a.wacz", size=len(wacz), start=start, stop=min(start + step, len(wacz))
        )
        *part, end = read_wacz(io.BytesIO(wacz), file_range, options)
        assert isinstance(end, ReadEnd)
        assert end.records_read == len(part) + sum(end.passed.values())
        found += part
        passed += sum(end.passed.values())
    assert places([item for item in whole if item.url and item.url.endswith("7")]) == places(
        [item for item in found if item.url and item.url.endswith("7")]
    )
    assert len(found) + passed == len(whole)
    assert passed > len(whole) / 2


@pytest.mark.parametrize("step", [100, 3_000, 1_000_000])
def test_deflated_members_are_read_as_streams(warcs: dict[str, bytes], step: int) -> None:
    data = zipped(warcs, zipfile.ZIP_DEFLATED)
    found = list(in_ranges("a.wacz", data, step))
    assert [item.url for item in found] == of_warcs(warcs)
    assert places(found) == places(items("a.wacz", data))
    assert len(set(places(found))) == len(found)


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"", "not a whole zip archive"),
        (b"PK\x03\x04" + b"x" * 500, "not a whole zip archive"),
        (zipped({"index.html": b"<p>"}), "a zip archive without WARC files"),
    ],
)
def test_a_zip_without_archives_is_one_reject(data: bytes, detail: str) -> None:
    (damage,) = items("a.wacz", data)
    assert isinstance(damage, Damage)
    assert damage.reason is RejectReason.NOT_AN_ARCHIVE
    assert detail in damage.detail


def test_a_zip_that_is_cut_is_one_reject_in_whatever_ranges(wacz: bytes) -> None:
    (damage,) = in_ranges("a.wacz", wacz[: len(wacz) // 2], 1000)
    assert isinstance(damage, Damage)


def test_a_member_that_does_not_inflate_costs_itself_alone(warcs: dict[str, bytes]) -> None:
    data = bytearray(zipped(warcs, zipfile.ZIP_DEFLATED))
    middle = data.index(b"archive/1.warc.gz") + 200
    data[middle : middle + 50] = b"\xff" * 50
    urls = [item.url for item in items("a.wacz", bytes(data)) if isinstance(item, Record)]
    (damage,) = (item for item in items("a.wacz", bytes(data)) if isinstance(item, Damage))
    assert "archive/1.warc.gz" in damage.detail
    others = {url for url in of_warcs(warcs) if url and not url.startswith("https://crawl.example/1")}
    assert others <= set(urls)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_damaged_header_costs_no_other_file(warcs: dict[str, bytes], method: int) -> None:
    data = bytearray(zipped(warcs, method))
    second = zipfile.ZipFile(io.BytesIO(bytes(data))).infolist()[1].header_offset
    data[second] ^= 1
    found = items("a.wacz", bytes(data))
    first, other, last = ([item.url for item in items("a.warc.gz", warc)] for warc in warcs.values())
    kept = other if method == zipfile.ZIP_STORED else []
    assert [item.url for item in found if isinstance(item, Record)] == [*first, *kept, *last]
    assert [item.location.offset for item in found if isinstance(item, Damage)] == [second]


def test_a_name_that_is_no_text_costs_no_other_file(warcs: dict[str, bytes]) -> None:
    data = bytearray(zipped(warcs, zipfile.ZIP_DEFLATED))
    second = zipfile.ZipFile(io.BytesIO(bytes(data))).infolist()[1].header_offset
    data[second + 7] |= 0x08  # the name is UTF-8, it says
    data[second + 30] = 0x85
    found = items("a.wacz", bytes(data))
    first, _, last = ([item.url for item in items("a.warc.gz", warc)] for warc in warcs.values())
    assert [item.url for item in found if isinstance(item, Record)] == [*first, *last]
    assert [item.location.offset for item in found if isinstance(item, Damage)] != []
