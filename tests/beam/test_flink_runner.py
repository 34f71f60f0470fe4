"""Several jobs of one run on Flink: one job server, which Beam would start for each."""

from __future__ import annotations

from apache_beam.options.pipeline_options import FlinkRunnerOptions, PipelineOptions

from cedar.pipelines.beam.runners import OneJobServer


def options(*more: str) -> PipelineOptions:
    return PipelineOptions(["--runner=FlinkRunner", "--flink_master=flink.example:8081", *more])


def test_all_jobs_go_to_the_first_job_server_and_each_knows_the_cluster_by_its_url() -> None:
    runner, jobs = OneJobServer(), [options(), options()]
    first, second = (runner.default_job_server(job) for job in jobs)
    assert first is second
    assert {job.view_as(FlinkRunnerOptions).flink_master for job in jobs} == {"http://flink.example:8081"}


def test_what_submits_a_jar_is_made_anew_for_each_job() -> None:
    runner = OneJobServer()
    first, second = (runner.default_job_server(options("--flink_submit_uber_jar")) for _ in range(2))
    assert first is not second
