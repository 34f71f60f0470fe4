"""The DAG as Airflow loads it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.needs("airflow")
ROOT = Path(__file__).resolve().parents[3]


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
