"""A short run of the fuzzer, the same each time, and what it lets pass."""

from __future__ import annotations

import pytest

from tests.fuzz.archives import PACKS, Archive, skippable, warc
from tests.fuzz.fuzz_warc import Mutant, Tally, check, fuzz_round, identities


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_damage_costs_what_it_does_not_touch(seed: int) -> None:
    tally = Tally()
    for number in range(25):
        fuzz_round(seed, number, tally)
    assert tally.records > 500
    assert tally.lost > 50
    assert tally.repaired > 0


def _archive_with(filler: bytes) -> Archive:
    """Two records in Zstandard frames, a filler between them and padding behind the last."""
    urls = ["http://a.example/0", "http://a.example/1"]
    records = [warc(f"a block of {url}".encode(), url) for url in urls]
    first, last = map(PACKS["zstd"], records)
    return Archive("zstd", [first, filler, last, b"\0" * 9], [(0, 0), (2, 2)], urls, records, 0, True)


def _check(archive: Archive, units: list[bytes]) -> None:
    mutant = Mutant(b"".join(units), lambda *_: False, "by hand")
    check(archive, identities(archive), mutant)


@pytest.mark.parametrize("padding", [0, 5, 9])
def test_a_record_may_be_lost_in_a_skippable_frame_whose_damaged_length_leads_to_the_end(
    padding: int,
) -> None:
    archive = _archive_with(skippable(b"x" * 30))
    first, filler, last, end = archive.units
    size = 30 + len(last) + padding
    _check(archive, [first, filler[:4] + size.to_bytes(4, "little") + filler[8:], last, end])


def test_a_lost_record_is_not_excused_by_a_skippable_frame_that_held_it_before_the_damage() -> None:
    lost = _archive_with(b"").units[2]
    archive = _archive_with(skippable(lost))
    first, filler, _, end = archive.units
    with pytest.raises(AssertionError, match=r"a\.example/1 is lost"):
        _check(archive, [first, filler, b"", end])
