"""The work on duplicates as jobs of Beam's: the rows of a local run, elements that are blobs and no pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import apache_beam as beam
import numpy as np
import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from cedar.pipelines.dedup import command
from cedar.transforms.dedup import GroupRecords, _MakeRecords
from tests.dedup.corpora import Kind, write_corpus
from tests.dedup.results import dedup, family, rows
from tests.helpers.corpus import books


def in_memory() -> beam.Pipeline:
    return beam.Pipeline(FnApiRunner(), PipelineOptions([], direct_running_mode="in_memory"))


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[Path, Path]:
    pages = family(120, seed=6)
    return (
        write_corpus(tmp_path / "a", [pages[:30], pages[30:60]]),
        write_corpus(tmp_path / "b", [pages[60:]], Kind(signed=False)),
    )


@pytest.mark.slow
@pytest.mark.parametrize("memory", ["1GiB", "64KiB"])
def test_a_job_in_memory_has_the_rows_of_a_local_run(
    memory: str, corpora: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert dedup(*corpora, "--output", tmp_path / "local", "--write") == 0
    monkeypatch.setattr(command, "_pipelines", lambda _: in_memory)
    options = ("--runner", "PortableRunner", "--memory", memory, "--write")
    assert dedup(*corpora, "--output", tmp_path / "job", *options) == 0
    assert rows(tmp_path / "job") == rows(tmp_path / "local")
    assert books(tmp_path / "job") == books(tmp_path / "local")


@pytest.mark.slow
def test_a_job_that_fails_is_named_and_goes_on_when_run_again(
    corpora: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(command, "_pipelines", lambda _: in_memory)
    lost = next((corpora[0] / "pages").iterdir())
    lost.rename(tmp_path / "lost")
    options = ("--output", tmp_path / "job", "--runner", "PortableRunner")
    assert dedup(*corpora, *options) == 1
    assert "failed: members" in capsys.readouterr().err
    (tmp_path / "lost").rename(lost)
    assert dedup(*corpora, *options) == 0
    assert books(tmp_path / "job")["pages"] == 120


def part(name: str, size: int) -> tuple[str, np.ndarray]:
    return name, np.full((size, 2), 7, np.uint64)


def test_small_records_of_several_shards_are_one_blob() -> None:
    step = _MakeRecords(lambda shard: [part("keys-0", 10), part("keys-1", 5000 if shard else 1)])
    step.start_bundle()
    early = [element for shard in (0, 1, 2) for element in step.process(shard)]
    assert [(name, len(blob) // 16) for name, blob in early] == [("keys-1", 5001), ("keys-1", 5000)]
    late = [windowed.value for windowed in step.finish_bundle()]
    assert [(name, len(blob) // 16) for name, blob in late] == [("keys-0", 30)]


def test_every_part_is_finished_once_with_all_its_records(tmp_path: Path) -> None:
    def finish(name: str, blobs: Iterable[bytes]) -> None:
        with (tmp_path / name).open("x") as file:
            file.write(str(sum(map(len, blobs)) // 16))

    group = GroupRecords(lambda shard: [part("keys-0", shard)], ["keys-0", "keys-1"], finish)
    with in_memory() as pipeline:
        _ = pipeline | beam.Create([1, 2, 3]) | group
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"keys-0": "6", "keys-1": "0"}
