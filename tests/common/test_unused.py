"""What a local run does not import."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.common import unused
from tests.crawl import write_warc

_RUN = """
import json, sys
from pipelines.cli import main
code = main(sys.argv[1:])
import pandas, pyarrow
frame = pyarrow.table({"a": [1]}).to_pandas()
print(json.dumps({"code": code, "frame": len(frame), "modules": sorted(sys.modules)}))
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package that can be imported, and that a run is said to have no use for."""
    (tmp_path / "of_no_use.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(unused, "_UNUSED", frozenset({"of_no_use"}))
    monkeypatch.delitem(sys.modules, "of_no_use", raising=False)
    return "of_no_use"


def test_an_unused_package_is_not_found_within_and_found_again_behind(package: str) -> None:
    with unused.without_unused_packages():
        with pytest.raises(ModuleNotFoundError) as caught:
            importlib.import_module(package)
        assert importlib.import_module("json") is json
    assert caught.value.name == package
    assert importlib.import_module(package).__name__ == package


def test_an_unused_package_that_has_been_imported_before_stays(package: str) -> None:
    before = importlib.import_module(package)
    with unused.without_unused_packages():
        assert importlib.import_module(package) is before


def test_packages_are_found_again_after_a_fault(package: str) -> None:
    with pytest.raises(OSError, match="no space"), unused.without_unused_packages():
        raise OSError("no space")
    assert importlib.import_module(package).__name__ == package


def test_a_run_imports_what_it_needs_and_leaves_the_rest_to_others(tmp_path: Path) -> None:
    crawl = write_warc(tmp_path / "a.warc.gz", 2)
    arguments = ["extract", str(crawl), "--output", str(tmp_path / "corpus"), "--workers", "1", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *arguments, "--extractor", "cetr", "--log-level", "info"],
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(done.stdout.splitlines()[-1])
    assert (said["code"], said["frame"]) == (0, 1)
    assert "transforms.extractors.lines.cetr" in said["modules"]
    assert not {"pymongo", "apache_beam.io.gcp.bigquery"} & set(said["modules"])
    assert not {"transforms.extractors.cedar.cedar", "transforms.extractors.tree.tree", "lxml"} & set(
        said["modules"]
    )
    # Nor does anything fail for want of it, and is tried again.
    assert "a batch failed" not in done.stderr
