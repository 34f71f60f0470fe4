"""A short run of the fuzzer, the same each time."""

from __future__ import annotations

import pytest

from tests.fuzz.fuzz_warc import Tally, fuzz_round


@pytest.mark.parametrize("seed", range(4))
def test_no_damage_costs_what_it_does_not_touch(seed: int) -> None:
    tally = Tally()
    for number in range(25):
        fuzz_round(seed, number, tally)
    assert tally.records > 500
    assert tally.lost > 50
    assert tally.repaired > 0
