"""What deploy/ says of Cedar is true: its images are built, its options and its figures exist."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from cedar.pipelines.commands import command_parser
from cedar.pipelines.extract.options import extract_options

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
MANIFESTS = sorted([*(DEPLOY / "kubernetes").rglob("*.yaml"), *(DEPLOY / "schedule").glob("*.yaml")])
MONITORING = DEPLOY / "kubernetes" / "monitoring"


def documents(path: Path) -> list[dict[str, Any]]:
    return [one for one in yaml.safe_load_all(path.read_text()) if one]


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every mapping within a value."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(part)


def manifest(kind: str, name: str) -> dict[str, Any]:
    (found,) = (
        one
        for path in MANIFESTS
        for one in documents(path)
        if one["kind"] == kind and one.get("metadata", {}).get("name") == name
    )
    return found


def test_every_image_that_a_file_names_is_built_and_of_the_version_of_the_project() -> None:
    built = dict(re.findall(r"--target (\w+) +-t REGISTRY/([\w-]+):", DOCKERFILE))
    assert set(re.findall(r"^FROM base AS (\w+)$", DOCKERFILE, re.MULTILINE)) == set(built)
    texts = [path.read_text() for path in MANIFESTS]
    pages = [DEPLOY / "README.md", DEPLOY / "compose.yaml", *(ROOT / "docs").glob("*.md")]
    named = re.findall(r"REGISTRY/([\w-]+):([\w.]+)", " ".join(texts + [path.read_text() for path in pages]))
    assert {name for name, _ in named} <= set(built.values())
    assert {version for _, version in named} == {VERSION}
    assert f"ARG VERSION={VERSION}\n" in DOCKERFILE


def test_what_the_container_file_copies_is_handed_to_the_engine() -> None:
    ignore = (ROOT / ".dockerignore").read_text().splitlines()
    copied = [line.split()[1:-1] for line in DOCKERFILE.splitlines() if line.startswith("COPY ")]
    own = {name for names in copied if not names[0].startswith("--from=") for name in names}
    assert own == {line[1:] for line in ignore if line.startswith("!")}


def test_the_image_of_beam_is_of_the_locked_version() -> None:
    for lock in ("worker", "dataflow"):
        text = (DEPLOY / f"requirements-{lock}.txt").read_text()
        version = re.search(r"^apache-beam(?:\[[a-z,]+\])?==(\S+)", text, re.MULTILINE)
        assert version
        assert f"ARG BEAM=apache/beam_python3.11_sdk:{version[1]}\n" in DOCKERFILE


def test_python_workers_run_in_the_environment_of_the_image() -> None:
    base = DOCKERFILE.partition(" AS base\n")[2].partition("\nFROM ")[0]
    assert "ENV RUN_PYTHON_SDK_IN_DEFAULT_ENVIRONMENT=1\n" in base


def test_containers_of_a_pod_template_are_merged_by_name() -> None:
    flink = manifest("FlinkDeployment", "cedar")["spec"]["flinkConfiguration"]
    assert flink["kubernetes.operator.pod-template.merge-arrays-by-name"] == "true"


def test_googles_libraries_are_in_the_template_alone() -> None:
    assert "google-cloud" not in (DEPLOY / "requirements-worker.txt").read_text()
    assert "google-cloud" in (DEPLOY / "requirements-dataflow.txt").read_text()
    assert DOCKERFILE.count("--from=build-dataflow") == 1


def test_no_image_runs_as_root() -> None:
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)
    images = [text for text in stages if text.startswith("base AS ")]
    assert len(images) == 4
    assert all(re.findall(r"^USER (.*)$", text, re.MULTILINE)[-1] == "10001" for text in images)


PODS = [
    pytest.param(pod, id=f"{path.stem}-{number}")
    for path in MANIFESTS
    if "kind" not in path.parts
    for number, pod in enumerate(
        part
        for one in documents(path)
        if one["kind"] in ("Job", "CronJob")
        for part in parts(one)
        if "containers" in part
    )
]


@pytest.mark.parametrize("pod", PODS)
def test_a_pod_fits_the_strictest_profile_and_has_limits(pod: dict[str, Any]) -> None:
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["serviceAccountName"] == "cedar"
    assert pod["automountServiceAccountToken"] is False
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in [*pod.get("initContainers", ()), *pod["containers"]]:
        security = container["securityContext"]
        assert security["allowPrivilegeEscalation"] is False
        assert security["readOnlyRootFilesystem"]
        assert security["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes


def test_the_launcher_asks_for_what_the_command_understands_and_the_cluster_has() -> None:
    (container,) = manifest("Job", "cedar-extract")["spec"]["template"]["spec"]["containers"]
    options = extract_options(command_parser("extract"), container["args"][1:])
    cluster = manifest("FlinkDeployment", "cedar")["spec"]
    given = dict(argument.split("=") for argument in options.beam_arguments)
    slots = int(cluster["flinkConfiguration"]["taskmanager.numberOfTaskSlots"])
    assert given["--flink_version"] == cluster["flinkVersion"].removeprefix("v").replace("_", ".")
    assert given["--sdk_worker_parallelism"] == str(slots)
    assert f" {given['--flink_job_server_jar']}\n" in DOCKERFILE
    # The job fits in with a task manager lost.
    assert int(given["--parallelism"]) <= slots * (cluster["taskManager"]["replicas"] - 1)


def test_the_nightly_job_asks_for_what_the_command_understands() -> None:
    job = manifest("CronJob", "cedar-nightly")["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    options = extract_options(command_parser("extract"), job["containers"][0]["args"][1:])
    assert options.beam_arguments == ()
    assert options.metrics_file == "/metrics/cedar.txt"


def test_the_cluster_has_the_restart_strategy_of_the_one_on_this_machine() -> None:
    here = yaml.safe_load((DEPLOY / "flink/conf/config.yaml").read_text())["restart-strategy"]
    there = manifest("FlinkDeployment", "cedar")["spec"]["flinkConfiguration"]
    assert there["restart-strategy.type"] == here["type"]
    for name, value in here["exponential-delay"].items():
        assert there[f"restart-strategy.exponential-delay.{name}"] == str(value)


def test_the_schedule_shows_its_figures_where_they_are_looked_for() -> None:
    scrape = documents(MONITORING / "scrape.yaml")
    (cedar,) = (one for one in scrape if one["metadata"]["name"] == "cedar")
    (endpoint,) = cedar["spec"]["podMetricsEndpoints"]
    for kind, name in (("Job", "cedar-extract"), ("CronJob", "cedar-nightly"), ("CronJob", "cedar-month")):
        text = json.dumps(manifest(kind, name))
        assert f"/metrics{endpoint['path']}" in text
        assert f'"name": "{endpoint["port"]}"' in text


def figures() -> set[str]:
    """Names of the figures that a run writes, from the strings of the module that writes them."""
    tree = ast.parse((ROOT / "pipelines/common/metrics.py").read_text())
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    names = {text for text in strings if isinstance(text, str) and re.fullmatch(r"cedar_\w+", text)}
    return names | {"cedar_written_timestamp_seconds"}


def expressions() -> Iterator[str]:
    for rules in documents(MONITORING / "alarms.yaml"):
        for part in parts(rules):
            if "expr" in part:
                yield part["expr"]
    for part in parts(json.loads((MONITORING / "board.json").read_text())):
        if "expr" in part:
            yield part["expr"]


def test_alarms_and_board_ask_for_figures_that_a_run_writes() -> None:
    asked = {name for text in expressions() for name in re.findall(r"\bcedar_\w+", text)}
    assert len(asked) > 15
    assert asked <= figures()


def test_the_alarms_are_those_of_the_manual() -> None:
    page = (ROOT / "docs/operations.md").read_text()
    last_cells = re.findall(r"`([^`]*\bcedar_[^`]*)` \|$", page, re.MULTILINE)
    manual = {cell.replace("\\|", "|") for cell in last_cells}
    rules = documents(MONITORING / "alarms.yaml")[0]["spec"]["groups"][0]["rules"]
    assert manual == {rule["expr"] for rule in rules if "cedar_" in rule["expr"]}


def test_the_panels_of_the_board_do_not_overlap() -> None:
    places = [panel["gridPos"] for panel in json.loads((MONITORING / "board.json").read_text())["panels"]]
    cells = [
        (x, y)
        for place in places
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
