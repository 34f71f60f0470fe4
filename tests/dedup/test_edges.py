"""Edges on disk come back whole, however small the pieces are in which they are read."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from cedar.pipelines.dedup import clusters
from cedar.transforms.files.stores import source_for


@pytest.mark.parametrize("pieces", [1, 3, 7, 100])
def test_edges_are_read_in_pieces_of_any_size(pieces: int, tmp_path: Path) -> None:
    written = np.arange(2 * 23, dtype=np.uint64).reshape(-1, 2)
    written.tofile(tmp_path / "texts-0")
    plan = SimpleNamespace(
        bits=0, memory=128 * pieces, work=lambda *names: source_for(f"{tmp_path}/{names[-1]}")
    )
    read = list(clusters.edges_of(plan, 0))
    assert np.concatenate(read).tolist() == written.tolist()
    assert max(map(len, read)) == min(pieces, 23)
