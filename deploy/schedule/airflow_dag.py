"""Airflow DAGs: one builds a corpus every night from what has arrived, one a month's and its duplicates.

A run does what has not been done: shards that are committed are skipped, so that a retry, a second run on the
same day or a run after a failed night never writes a page twice. Settings are Airflow variables:
`cedar_inputs` (globs, or @LIST), `cedar_output`, `cedar_image`; of `cedar_month` also `cedar_claim`, the
claim of a volume on which corpora and results lie, and a ConfigMap `cedar-month` that has month.sh.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator
from airflow.sdk import DAG
from kubernetes.client import models as k8s

_POD = {
    "image": "{{ var.value.cedar_image }}",
    "env_from": [k8s.V1EnvFromSource(secret_ref=k8s.V1SecretEnvSource(name="cedar-store", optional=True))],
    # Fits a namespace that enforces the profile `restricted`.
    "security_context": k8s.V1PodSecurityContext(
        run_as_non_root=True,
        run_as_user=10001,
        fs_group=10001,
        seccomp_profile=k8s.V1SeccompProfile(type="RuntimeDefault"),
    ),
    "container_security_context": k8s.V1SecurityContext(
        allow_privilege_escalation=False, capabilities=k8s.V1Capabilities(drop=["ALL"])
    ),
}

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
        **_POD,
        cmds=["cedar"],
        arguments=[
            "extract",
            "{{ var.value.cedar_inputs }}",
            "--output={{ var.value.cedar_output }}",
            "--workers=4",
            "--quiet",
        ],
        container_resources=k8s.V1ResourceRequirements(
            requests={"cpu": "4", "memory": "2Gi"}, limits={"memory": "4Gi"}
        ),
        execution_timeout=timedelta(hours=20),
        on_finish_action="delete_succeeded_pod",
    )
    books = KubernetesPodOperator(
        task_id="books",
        name="cedar-books",
        **_POD,
        cmds=["cedar"],
        arguments=["report", "{{ var.value.cedar_output }}", "--text"],
        retries=0,
        trigger_rule="all_done",  # after a failed night, too: the books say what is missing
    )
    extract >> books

# Yesterday's, so that the last night of a month ends it.
_MONTH = "{{ macros.ds_add(ds, -1)[:7] }}"
_VOLUMES = {
    "data": k8s.V1Volume(
        name="data",
        persistent_volume_claim=k8s.V1PersistentVolumeClaimVolumeSource(
            claim_name="{{ var.value.cedar_claim }}"
        ),
    ),
    "schedule": k8s.V1Volume(
        name="schedule", config_map=k8s.V1ConfigMapVolumeSource(name="cedar-month", default_mode=0o555)
    ),
}

with DAG(
    dag_id="cedar_month",
    description="A month of a crawl, and its duplicates against every month before it",
    schedule="37 4 * * *",
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,  # a night does what the nights before have left
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=10)},
    tags=["cedar"],
) as monthly:
    month = KubernetesPodOperator(
        task_id="month",
        name="cedar-month",
        **_POD,
        cmds=["/bin/bash", "/schedule/month.sh"],
        arguments=[_MONTH, f"cc:CC-NEWS-{_MONTH}", "/data", "--workers=4"],
        volumes=list(_VOLUMES.values()),
        volume_mounts=[k8s.V1VolumeMount(name=name, mount_path=f"/{name}") for name in _VOLUMES],
        container_resources=k8s.V1ResourceRequirements(
            requests={"cpu": "4", "memory": "4Gi"}, limits={"memory": "8Gi"}
        ),
        execution_timeout=timedelta(hours=23),
        on_finish_action="delete_succeeded_pod",
    )
    unique = KubernetesPodOperator(
        task_id="unique",
        name="cedar-unique",
        **_POD,
        cmds=["cedar"],
        arguments=["report", f"/data/unique/{_MONTH}", "--text"],
        volumes=[_VOLUMES["data"]],
        volume_mounts=[k8s.V1VolumeMount(name="data", mount_path="/data")],
        retries=0,
    )
    month >> unique
