"""A short run of the fuzzer of tables and WACZ, the same each time."""

from __future__ import annotations

import pytest

from tests.fuzz.fuzz_tables import Tally, fuzz_round


@pytest.mark.slow
def test_no_damage_of_a_table_costs_what_it_does_not_touch() -> None:
    tally = Tally()
    for number in range(60):
        fuzz_round(1, number, tally)
    assert {name.rpartition(".")[2] for name in tally.forms} == {"parquet", "jsonl", "gz", "zst", "wacz"}
    assert tally.spared > 500
    assert tally.damages > 100
