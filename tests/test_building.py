"""What a source installation says where it cannot compile."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from setuptools import find_packages

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_a_missing_compiler_is_one_sentence_with_the_package_to_install(tmp_path: Path) -> None:
    run = subprocess.run(
        [
            sys.executable,
            "setup.py",
            "--quiet",
            "build_ext",
            "--build-lib",
            tmp_path,
            "--build-temp",
            tmp_path,
        ],
        cwd=ROOT,
        env={**os.environ, "CC": "no-such-compiler"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    last = run.stderr.splitlines()[-1]
    assert last.startswith("Cedar is compiled when it is installed from source, but ")
    assert "no-such-compiler" in last
    assert "apt-get install gcc python3-dev" in last
    assert "Traceback" not in run.stderr


@pytest.mark.slow
def test_another_checkout_compiles_nothing_that_was_compiled_before(tmp_path: Path) -> None:
    def build(checkout: Path) -> str:
        """Compile one module in a checkout; return the compiler's commands."""
        run = subprocess.run(
            [
                sys.executable,
                "setup.py",
                "build_ext",
                "--build-lib",
                checkout / "lib",
                "--build-temp",
                checkout / "temp",
            ],
            cwd=checkout,
            env={**os.environ, "CEDAR_ALONE": "", "XDG_CACHE_HOME": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        (built,) = (checkout / "lib").rglob("_small.*.so")
        assert built.stat().st_size > 0
        return run.stdout

    for name in ("first", "second"):
        room = tmp_path / name / "cedar" / "transforms"
        room.mkdir(parents=True)
        (room.parent / "__init__.py").touch()
        (room / "__init__.py").touch()
        (room / "_memoryviews.c").touch()
        (room / "_small.pyx").write_text("cimport cedar.transforms._shared\n\n\ndef one():\n    return 1\n")
        (room / "_shared.pxd").touch()
        shutil.copy(ROOT / "setup.py", tmp_path / name)
    assert "_small.c" in build(tmp_path / "first")
    second = tmp_path / "second"
    assert "_small.c" not in build(second)
    (second / "cedar" / "transforms" / "_shared.pxd").write_text("cdef int number\n")
    shutil.rmtree(second / "lib")
    assert "_small.c" in build(second)


def test_the_laboratory_is_not_installed() -> None:
    find = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    packages = find_packages(str(ROOT / find["where"][0]))
    assert "cedar.pipelines.extract" in packages
    assert {name.partition(".")[0] for name in packages} == {"cedar"}


def test_containers_of_the_compose_file_are_stages_of_the_container_file() -> None:
    stages = re.findall(r"^FROM \S+ AS (\S+)$", (ROOT / "deploy" / "Dockerfile").read_text(), re.MULTILINE)
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
    built = {name: one["build"]["target"] for name, one in services.items() if "build" in one}
    assert built == {
        "cedar": "launcher", "demo": "launcher", "submit": "launcher", "pool-1": "worker", "pool-2": "worker"
    }  # fmt: skip
    assert set(built.values()) <= set(stages)
    for one in services.values():
        shared = one.get("network_mode", "service:jobmanager").partition(":")[2]
        assert {shared, *one.get("depends_on", [])} <= set(services)


@pytest.mark.parametrize("words", [(), ("flink",), ("storm", "up")])
def test_the_script_of_clusters_says_how_it_is_called(words: tuple[str, ...]) -> None:
    run = subprocess.run(
        [ROOT / "deploy" / "cluster.sh", *words], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert "flink|spark up" in run.stderr


def test_a_cluster_that_is_not_up_is_down(tmp_path: Path) -> None:
    env = {**os.environ, "FLINK_DIR": str(tmp_path)}
    (tmp_path / "one.pid").write_text("999999999")
    subprocess.run([ROOT / "deploy" / "cluster.sh", "flink", "down"], env=env, check=True)
    assert not list(tmp_path.glob("*.pid"))
