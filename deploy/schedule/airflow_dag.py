"""An Airflow DAG that builds a corpus every night from what has arrived.

A run does what has not been done: shards that are committed are skipped, so that a retry, a second run on the
same day or a run after a failed night never writes a page twice. Settings are Airflow variables:
`cedar_inputs` (globs, or @LIST), `cedar_output`, `cedar_image`.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator
from airflow.sdk import DAG
from kubernetes.client import models as k8s

with DAG(
    dag_id="cedar_nightly",
    description="Web crawl to clean text, incrementally",
    schedule="17 3 * * *",
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,  # a run takes all that is there: missed nights need no runs of their own
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=10)},
    tags=["cedar"],
) as dag:
    extract = KubernetesPodOperator(
        task_id="extract",
        name="cedar-extract",
        image="{{ var.value.cedar_image }}",
        cmds=["cedar"],
        arguments=[
            "extract",
            "{{ var.value.cedar_inputs }}",
            "--output={{ var.value.cedar_output }}",
            "--workers=4",
            "--quiet",
        ],
        env_from=[k8s.V1EnvFromSource(secret_ref=k8s.V1SecretEnvSource(name="cedar-store"))],
        container_resources=k8s.V1ResourceRequirements(
            requests={"cpu": "4", "memory": "2Gi"}, limits={"memory": "4Gi"}
        ),
        execution_timeout=timedelta(hours=20),
        on_finish_action="delete_succeeded_pod",
    )
    books = KubernetesPodOperator(
        task_id="books",
        name="cedar-books",
        image="{{ var.value.cedar_image }}",
        cmds=["cedar"],
        arguments=["report", "{{ var.value.cedar_output }}", "--text"],
        env_from=[k8s.V1EnvFromSource(secret_ref=k8s.V1SecretEnvSource(name="cedar-store"))],
        retries=0,
        trigger_rule="all_done",  # after a failed night, too: the books say what is missing
    )
    extract >> books
