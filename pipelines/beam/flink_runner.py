"""Flink's runner for a run of several jobs, one after the other, with one job server."""

from __future__ import annotations

from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.flink_runner import FlinkRunner
from apache_beam.runners.portability.job_server import JobServer, StopOnExitJobServer


class OneJobServer(FlinkRunner):
    """Flink's runner that keeps its first job server.

    Beam's starts one for each pipeline, a JVM of 400 MiB that takes seconds, and ends none of them before
    the launcher ends.
    """

    def __init__(self) -> None:
        super().__init__()
        self._first: JobServer | None = None

    def default_job_server(self, options: PipelineOptions) -> JobServer:
        """Return the server that a job is handed to; options get the address of Flink as Beam writes it."""
        server: JobServer = super().default_job_server(options)
        if not isinstance(server, StopOnExitJobServer):
            return server  # made for the one job, and no process
        if self._first is None:
            self._first = server
        return self._first
