"""Columns of Parquet, made of buffers: what Arrow makes of the same values, without what it would import."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cedar.transforms.corpus.formats import OutputFormat, open_writer
from cedar.transforms.model.columns import Column, arrow_schema

VALUES: dict[str, tuple[Any, Any]] = {
    "string": ("é\0", ""),
    "binary": (b"\xff", b""),
    "bool": (True, False),
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "timestamp": (-1, 1),
    "float32": (0.1, -0.0),
    "float64": (float("nan"), float("inf")),
}


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("nulls", ["", "first", "all"])
def test_columns_are_those_that_arrow_makes(kind: str, nulls: str) -> None:
    column = Column("c", kind, True, "")
    values = {"": VALUES[kind] * 5, "first": (None, *VALUES[kind] * 5), "all": (None,) * 9}[nulls]
    file = io.BytesIO()
    writer = open_writer(file, "Page", (column,), output=OutputFormat(), attempt="0" * 32)
    writer.write([(value,) for value in values])
    writer._writer.close()
    schema = arrow_schema((column,))
    expected = pa.table([pa.array(values, schema.field(0).type)], schema=schema)
    assert str(pq.read_table(io.BytesIO(file.getvalue()))["c"]) == str(expected["c"])


@pytest.mark.slow
def test_parquet_is_written_without_pandas() -> None:
    program = (
        "import io, sys; from cedar.transforms.corpus.formats import *; "
        "from cedar.transforms.model.columns import *; "
        "from cedar.transforms.model.records import RejectRow; "
        "writer = open_writer(io.BytesIO(), 'Reject', columns_of(RejectRow), "
        "output=OutputFormat(), attempt='0' * 32); "
        "row = (None, 's', 0, 1, 0, *[None] * 7, 'read', 'status', 'd'); "
        "writer.write([row]); writer.close(); "
        "assert 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
