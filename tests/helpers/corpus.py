"""A corpus as tests look at it: its rows and its books."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import fastavro
import pyarrow.parquet as pq

from cedar.transforms.model.columns import TIME_COLUMNS


def rows(corpus: Path, kind: str = "pages") -> list[dict[str, Any]]:
    """All rows of a kind in order of source and offset, without the times, whatever their format."""
    found: list[dict[str, Any]] = []
    for path in sorted((corpus / kind).glob("*")):
        if path.suffix == ".parquet":
            found += pq.read_table(path).to_pylist()
        elif path.suffix == ".avro":
            with path.open("rb") as file:
                found += list(fastavro.reader(file))
        else:
            found += map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    found.sort(key=lambda row: (row.get("source", ""), row.get("offset", 0)))  # signatures have neither
    return [{name: value for name, value in row.items() if name not in TIME_COLUMNS} for row in found]


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by their names in it, but the file that runs lock."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "_lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def books(corpus: Path) -> dict[str, Any]:
    """What run.json says."""
    said: dict[str, Any] = json.loads((corpus / "run.json").read_text())
    return said


def last_run(corpus: Path) -> dict[str, Any]:
    """The record of the run that ended last."""
    path = max((corpus / "runs").iterdir(), key=lambda path: path.stat().st_mtime_ns)
    said: dict[str, Any] = json.loads(path.read_text())
    return said
