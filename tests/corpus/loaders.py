"""JSON lines of a corpus as `datasets` and datatrove read them, with their defaults: `make test-loaders`.

They are asked in a Python of their own (LOADERS_PYTHON), which has nothing of this project in it.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import zstandard

from pipelines.cli import main
from tests.crawl import write_warc

PYTHON = os.environ.get("LOADERS_PYTHON", "")

DATASETS = """
import datasets, glob, json, sys
files = sorted(glob.glob(sys.argv[1] + "/*.jsonl.*"))
loaded = datasets.load_dataset("json", data_files=files, split="train", cache_dir=sys.argv[2])
kinds = {name: str(feature.dtype) for name, feature in loaded.features.items()}
print(json.dumps({"kinds": kinds, "rows": [dict(row) for row in loaded]}, default=str))
"""
DATATROVE = """
import json, sys
from datatrove.pipeline.readers import JsonlReader
pages = [(page.id, page.text, page.metadata) for page in JsonlReader(sys.argv[1]).run()]
print(json.dumps(pages, default=str))
"""

pytestmark = pytest.mark.skipif(not PYTHON, reason="LOADERS_PYTHON names no Python that has the packages")


@pytest.fixture(scope="module", params=["zstd", "gzip"])
def pages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of pages of a corpus in two files, some of them marked as dropped."""
    home = tmp_path_factory.mktemp(request.param)
    write_warc(home / "in" / "one.warc.gz", 30, paragraphs=12)
    write_warc(home / "in" / "two.warc.gz", 20, first=100, paragraphs=1)
    options = ["--format", "jsonl", "--compression", request.param, "--signals", "--keep", "words > 100"]
    options += ["--dropped", "mark", "--quiet"]
    assert main(["extract", str(home / "in"), "--output", str(home / "corpus"), *options]) == 0
    return home / "corpus" / "pages"


def asked(script: str, *arguments: Path) -> Any:
    """What a script says in the other Python."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    environment.pop("PYTHONPATH", None)
    run = subprocess.run(
        [PYTHON, "-c", script, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout.splitlines()[-1])


def rows(pages: Path) -> list[dict[str, Any]]:
    """The rows as they stand in the files, in the order of the files' names."""
    found: list[dict[str, Any]] = []
    for path in sorted(pages.glob("*.jsonl.*")):
        if path.suffix == ".zst":
            lines = zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read()
        else:
            lines = subprocess.run(["gzip", "-dc", path], capture_output=True, check=True).stdout
        found += map(json.loads, lines.splitlines())
    return found


def test_datasets_loads_every_row_with_its_columns(pages: Path, tmp_path: Path) -> None:
    expected = rows(pages)
    loaded = asked(DATASETS, pages, tmp_path)
    assert len(loaded["rows"]) == len(expected) == 50
    assert {row["drop_reason"] for row in expected} == {None, "keep: words > 100"}
    assert list(loaded["kinds"]) == list(expected[0])
    assert loaded["kinds"]["text"] == "string"
    assert loaded["kinds"]["tokens"] == "int64"
    assert loaded["kinds"]["terminal_lines"] == "float64"
    for row, wanted in zip(loaded["rows"], expected, strict=True):
        assert {name: row[name] for name in ("id", "url", "text", "tokens", "drop_reason")} == {
            name: wanted[name] for name in ("id", "url", "text", "tokens", "drop_reason")
        }


def test_datatrove_reads_id_text_and_the_rest_as_metadata(pages: Path) -> None:
    expected = {row["id"]: row for row in rows(pages)}
    read = asked(DATATROVE, pages)
    assert len(read) == len(expected) == 50
    for page_id, text, metadata in read:
        wanted = expected[page_id]
        assert text == wanted["text"]
        assert metadata["url"] == wanted["url"]
        assert metadata["tokens"] == wanted["tokens"]
        assert set(metadata) - {"file_path"} == set(wanted) - {"id", "text"}
