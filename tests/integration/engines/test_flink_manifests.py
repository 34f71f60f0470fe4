"""The manifests for the Flink Kubernetes operator fit the schema that the operator itself publishes."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.needs("java")
ROOT = Path(__file__).parents[3]
FLINK = ROOT / "deploy" / "flink"
MANIFESTS = ROOT / "deploy" / "kubernetes" / "flink"


_KINDS: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
}


def violations(value: Any, schema: dict[str, Any], where: str = "") -> Iterator[str]:
    """Where a value does not fit a structural schema: types, fields, choices, what is required."""
    if schema.get("x-kubernetes-int-or-string"):
        if not isinstance(value, int | str):
            yield f"{where}: neither a number nor a string"
        return
    kind = schema.get("type")
    # In Python a bool is an int, too.
    if kind is not None and (
        not isinstance(value, _KINDS[kind]) or isinstance(value, bool) != (kind == "boolean")
    ):
        yield f"{where}: {value!r} is no {kind}"
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    elif isinstance(value, dict):
        fields, others = schema.get("properties", {}), schema.get("additionalProperties")
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{where}.{name} is missing"
        for name, part in value.items():
            if name in fields:
                yield from violations(part, fields[name], f"{where}.{name}")
            elif isinstance(others, dict):
                yield from violations(part, others, f"{where}.{name}")
            elif fields and not schema.get("x-kubernetes-preserve-unknown-fields"):
                yield f"{where}.{name} is unknown"
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from violations(part, schema.get("items", {}), f"{where}[{number}]")


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """Of FlinkDeployment, out of the operator's own package."""
    (package,) = FLINK.glob("target/flink-kubernetes-operator-api-*.jar")
    with zipfile.ZipFile(package) as archive:
        text = archive.read("META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml")
    definition = yaml.safe_load(text)
    (version,) = definition["spec"]["versions"]
    assert (definition["spec"]["group"], version["name"]) == ("flink.apache.org", "v1beta1")
    found: dict[str, Any] = version["schema"]["openAPIV3Schema"]["properties"]["spec"]
    return found


def manifest(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((MANIFESTS / name).read_text())
    return loaded


def test_session_cluster_fits_the_schema(schema: dict[str, Any]) -> None:
    session = manifest("session.yaml")
    assert (session["apiVersion"], session["kind"]) == ("flink.apache.org/v1beta1", "FlinkDeployment")
    assert list(violations(session["spec"], schema)) == []


def test_what_does_not_fit_is_found(schema: dict[str, Any]) -> None:
    wrong = manifest("session.yaml")["spec"]
    wrong["flinkVersion"] = "v9_9"
    wrong["taskManager"]["replicas"] = "three"
    wrong["jobManger"] = {}
    found = " ".join(violations(wrong, schema))
    assert "v9_9" in found
    assert "'three' is no integer" in found
    assert ".jobManger is unknown" in found
