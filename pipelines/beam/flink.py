"""Flink: jobs on a cluster, which the launcher cancels itself, as Beam's job server only forgets them."""

from __future__ import annotations

import json
import time
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any

from apache_beam.options.pipeline_options import FlinkRunnerOptions, PipelineOptions
from apache_beam.runners.portability.flink_runner import FlinkRunner
from apache_beam.runners.portability.job_server import JobServer, StopOnExitJobServer

_ENDED = frozenset({"FINISHED", "CANCELED", "FAILED", "SUSPENDED"})
_EMBEDDED = ("", "[local]", "[auto]", "[collection]")
_ANSWER_SECONDS = 10.0
_CANCEL_SECONDS = 60.0
_LATE_SECONDS = 3.0
"""A job that was being submitted when it was cancelled may come to the cluster this much later."""


def job_name() -> str:
    """Make a name for a job that no other job has."""
    return f"cedar-{uuid.uuid4().hex[:12]}"


@dataclass(frozen=True, slots=True)
class FlinkJob:
    """A job of a launcher on a cluster, known by its name; `others` are ids of earlier jobs of this name."""

    url: str
    name: str
    others: frozenset[str]

    @staticmethod
    def about_to_start(options: PipelineOptions) -> FlinkJob | None:
        """Return the job that a pipeline with these options will be; None where no cluster is named."""
        master = str(options.view_as(FlinkRunnerOptions).flink_master or "").strip()
        name = options.get_all_options(drop_default=True).get("job_name")
        if master in _EMBEDDED or name is None:
            return None
        url = master if master.startswith(("http://", "https://")) else f"http://{master}"
        job = FlinkJob(url.rstrip("/"), str(name), frozenset())
        try:
            return FlinkJob(job.url, job.name, frozenset(job.running()))
        except OSError:
            # The job cannot be started there either, and the runner says why.
            return job

    def running(self) -> list[str]:
        """Return the ids of jobs of this name that have not ended, but for the others; raises OSError."""
        jobs = _ask(f"{self.url}/jobs/overview")["jobs"]
        return [
            job["jid"]
            for job in jobs
            if job["name"] == self.name and job["state"] not in _ENDED and job["jid"] not in self.others
        ]

    def cancel(self) -> None:
        """Cancel the job, and wait until it has ended; raise OSError if it continues, or nothing answers."""
        deadline = time.monotonic() + _CANCEL_SECONDS
        quiet_until = time.monotonic() + _LATE_SECONDS
        asked: set[str] = set()
        while True:
            running = self.running()
            for job in set(running) - asked:
                _ask(f"{self.url}/jobs/{job}?mode=cancel", method="PATCH")
                asked.add(job)
            if not running and (asked or time.monotonic() > quiet_until):
                return
            if time.monotonic() > deadline:
                raise TimeoutError(f"the job {self.name} on {self.url} continues: cancel it there")
            time.sleep(0.2)


def _ask(url: str, method: str = "GET") -> Any:
    """Return an answer of Flink's; raise OSError where it does not come, or says no."""
    request = urllib.request.Request(url, method=method)  # noqa: S310 - an address that the user gave
    try:
        with urllib.request.urlopen(request, timeout=_ANSWER_SECONDS) as answer:  # noqa: S310 - as above
            return json.loads(answer.read() or b"{}")
    except ValueError as error:
        raise OSError(f"{url} is not Flink's REST interface: {error}") from error


class OneJobServer(FlinkRunner):
    """Flink's runner that keeps its first job server: Beam's starts a JVM of 400 MiB for each pipeline."""

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
