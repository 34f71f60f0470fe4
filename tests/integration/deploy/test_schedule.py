"""The manifests and the DAG, read by the tools that will read them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.needs("airflow")
ROOT = Path(__file__).resolve().parents[3]
TOOLS = Path(sys.executable).parent


@pytest.mark.parametrize(("file", "name"), [("cronjob", "nightly"), ("cronjob-month", "month")])
def test_the_cron_jobs_fit_the_kubernetes_schema(file: str, name: str) -> None:
    validate = TOOLS / "kubernetes-validate"
    outcome = subprocess.run(
        [validate, "--strict", ROOT / f"deploy/schedule/{file}.yaml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr
    assert f"passed for resource cronjob/cedar-{name}" in outcome.stdout + outcome.stderr


def test_the_container_file_has_no_finding_of_hadolint() -> None:
    outcome = subprocess.run(
        [TOOLS / "hadolint", ROOT / "deploy/Dockerfile"], capture_output=True, text=True, check=False
    )
    assert outcome.returncode == 0, outcome.stdout


def test_airflow_loads_the_dags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW_HOME", str(tmp_path))
    monkeypatch.setenv("AIRFLOW__CORE__LOAD_EXAMPLES", "False")
    from airflow.dag_processing.dagbag import DagBag

    bag = DagBag(ROOT / "deploy/schedule")
    assert bag.import_errors == {}
    dag = bag.dags["cedar_nightly"]
    assert dag.max_active_runs == 1
    assert not dag.catchup
    extract, books = dag.get_task("extract"), dag.get_task("books")
    assert extract.downstream_task_ids == {"books"}
    assert books.trigger_rule == "all_done"
    assert extract.arguments[0] == "extract"
    assert extract.retries == 2
    month = bag.dags["cedar_month"].get_task("month")
    assert month.cmds[-1] == "/schedule/month.sh"
    assert month.downstream_task_ids == {"unique"}
    mounts = {mount.name: mount.mount_path for mount in month.volume_mounts}
    assert mounts == {"data": "/data", "schedule": "/schedule"}
    assert {volume.name for volume in month.volumes} == set(mounts)
    assert bag.dags["cedar_month"].max_active_runs == 1
