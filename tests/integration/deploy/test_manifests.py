"""The manifests, the container file, the alarms and the workflows, read by the tools that check them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.needs("kustomize")
ROOT = Path(__file__).resolve().parents[3]
TOOLS = Path(sys.executable).parent
FOLDERS = ("schedule", "kubernetes/flink", "kubernetes/example", "kubernetes/kind", "kubernetes/kind/store")


def built(folder: str) -> str:
    command = ["kustomize", "build", ROOT / "deploy" / folder]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_a_folder_builds_fits_the_schemas_of_kubernetes(folder: str, tmp_path: Path) -> None:
    path = tmp_path / "built.yaml"
    path.write_text(built(folder))
    command = [TOOLS / "kubernetes-validate", "--strict", path]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    assert "passed for resource" in outcome.stdout + outcome.stderr


def test_the_example_names_no_image_of_nobody() -> None:
    assert "REGISTRY" not in built("kubernetes/example")


def test_the_container_file_has_no_finding_of_hadolint() -> None:
    command = [TOOLS / "hadolint", ROOT / "deploy/Dockerfile"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout


def test_the_workflows_have_no_finding_of_actionlint() -> None:
    command = ["actionlint", *(ROOT / ".github/workflows").glob("*.yml")]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout


@pytest.mark.needs("promtool")
def test_prometheus_reads_the_alarms(tmp_path: Path) -> None:
    (rules,) = (
        one for one in yaml.safe_load_all(built("kubernetes/monitoring")) if one["kind"] == "PrometheusRule"
    )
    path = tmp_path / "rules.yaml"
    path.write_text(yaml.safe_dump(rules["spec"]))
    command = ["promtool", "check", "rules", path]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
