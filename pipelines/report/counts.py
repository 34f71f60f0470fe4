"""Counts over rows that are added batch by batch: by the values of columns, and in bins."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

MAX_KEYS = 100_000
"""Groups that a `Tally` keeps, at least."""

_ROWS = "rows"


class Tally:
    """Rows counted by the values of some columns, with sums of other columns over them.

    At twice `MAX_KEYS` groups, the groups with fewest rows are dropped, and `is_cut` becomes true.
    """

    def __init__(self, *keys: str, sums: Sequence[str] = ()) -> None:
        self.is_cut = False
        self._keys, self._sums = keys, sums
        self._table: pa.Table | None = None

    def add(self, rows: pa.RecordBatch | pa.Table) -> None:
        """Add rows that have these columns."""
        columns = {name: rows.column(name) for name in self._keys}
        columns[_ROWS] = pa.array(np.ones(rows.num_rows, np.int64))
        columns |= {name: pc.cast(rows.column(name), pa.int64()) for name in self._sums}
        table = pa.table(columns)
        if self._table is not None:
            table = pa.concat_tables([self._table, table])
        sums = (_ROWS, *self._sums)
        found = table.group_by(list(self._keys), use_threads=False).aggregate(
            [(name, "sum") for name in sums]
        )
        found = found.select([*self._keys, *(f"{name}_sum" for name in sums)])
        self._table = found.rename_columns([*self._keys, *sums])
        if found.num_rows > 2 * MAX_KEYS:
            self.is_cut = True
            self._table = self._table.sort_by([(_ROWS, "descending")]).slice(0, MAX_KEYS)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield the groups of most rows first: the values of the keys, the rows, the sums."""
        columns = [] if self._table is None else [column.to_pylist() for column in self._table.columns]
        yield from sorted(zip(*columns, strict=True), key=lambda group: -group[len(self._keys)])


class Histogram:
    """Values counted in bins: bin i has those in [edges[i], edges[i + 1]), the ends also what lies beyond.

    Attributes:
        edges: float64 (n + 1,), rising.
        counts: int64 (n,).
        is_log: whether bins widen with the values; the first one then has all values under edges[1].
    """

    def __init__(self, edges: NDArray[np.float64], *, is_log: bool = False) -> None:
        self.edges, self.is_log = edges, is_log
        self.counts = np.zeros(edges.size - 1, np.int64)

    def bins(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the bin of each value."""
        found = np.searchsorted(self.edges, values, side="right") - 1
        return np.clip(found, 0, self.counts.size - 1)

    def add(self, values: NDArray[np.float64]) -> None:
        """Count values; those that are not finite are left out."""
        self.counts += np.bincount(self.bins(values[np.isfinite(values)]), minlength=self.counts.size)

    @property
    def total(self) -> int:
        """Number of values."""
        return int(self.counts.sum())

    def quantile(self, share: float) -> int:
        """Return the bin in which this share of the values is reached."""
        reached = np.cumsum(self.counts)
        return min(int(reached.searchsorted(share * reached[-1])), self.counts.size - 1)
