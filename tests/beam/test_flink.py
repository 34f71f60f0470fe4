"""Jobs on a Flink cluster: what is cancelled, and what is left alone. The cluster is a stand-in."""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.runner import PipelineState

from cedar.pipelines.beam import runners
from cedar.pipelines.beam.runners import FlinkJob, run_until_done
from cedar.pipelines.common.logs import LogOptions, configure_logging, threads_logged
from cedar.pipelines.local.stopping import StopRequest


class Cluster(HTTPServer):
    """Answers as Flink's job manager does."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.jobs = {"other": ["report", "RUNNING"], "ended": ["mine", "CANCELED"]}
        self.obeys = True

    @property
    def master(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class _Answers(BaseHTTPRequestHandler):
    server: Cluster

    def do_GET(self) -> None:
        self._answer({"jobs": [{"jid": i, "name": n, "state": s} for i, (n, s) in self.server.jobs.items()]})

    def do_PATCH(self) -> None:
        job = self.path.partition("?")[0].rpartition("/")[2]
        assert self.path.endswith("?mode=cancel")
        if self.server.obeys:
            self.server.jobs[job][1] = "CANCELED"
        self._answer({})

    def _answer(self, content: object) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setattr(runners, "_LATE_SECONDS", 0.1)
    monkeypatch.setattr(runners, "_CANCEL_SECONDS", 0.5)
    server = Cluster()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def options(cluster: Cluster) -> PipelineOptions:
    return PipelineOptions(["--runner=FlinkRunner", f"--flink_master={cluster.master}", "--job_name=mine"])


class Result:
    """What Beam's runner gives back: a job that does not end, and whose cancelling reaches nobody."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.cancelled = self.waited = False
        self._fault = fault

    @property
    def state(self) -> str:
        return str(PipelineState.RUNNING)

    def wait_until_finish(self) -> None:
        self.waited = True

    def cancel(self) -> None:
        self.cancelled = True
        if self._fault:
            raise self._fault


class Runs(beam.Pipeline):
    """A pipeline whose job comes to the cluster when it is run."""

    def __init__(self, cluster: Cluster, result: Result) -> None:
        super().__init__(options=options(cluster))
        self._cluster, self._result = cluster, result

    def run(self, *_: Any) -> Result:
        self._cluster.jobs["ours"] = ["mine", "RUNNING"]
        return self._result


def stopped() -> StopRequest:
    stop = StopRequest()
    stop._hear(15, None)
    return stop


@pytest.mark.parametrize("fault", [None, ConnectionError("the job server is gone")])
def test_a_job_that_the_job_server_lets_go_on_is_cancelled_on_the_cluster(
    cluster: Cluster, fault: Exception | None
) -> None:
    cluster.jobs["namesake"] = ["mine", "RUNNING"]
    result = Result(fault)
    assert run_until_done(Runs(cluster, result), stopped()) is None
    assert result.cancelled
    states = {job: state for job, (_, state) in cluster.jobs.items()}
    assert states == {"other": "RUNNING", "namesake": "RUNNING", "ended": "CANCELED", "ours": "CANCELED"}


def test_a_job_that_comes_late_is_cancelled_too(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runners, "_LATE_SECONDS", 5.0)
    job = FlinkJob.about_to_start(options(cluster))
    assert job is not None
    later = threading.Timer(0.3, lambda: cluster.jobs.update(late=["mine", "RUNNING"]))
    later.start()
    job.cancel()
    later.join()
    assert cluster.jobs["late"] == ["mine", "CANCELED"]


def test_a_job_that_cannot_be_cancelled_is_named(cluster: Cluster) -> None:
    cluster.obeys = False
    fault = run_until_done(Runs(cluster, Result()), stopped())
    assert fault == f"the job mine on http://{cluster.master} continues: cancel it there"


def test_a_job_is_looked_at_while_it_runs_and_a_look_that_fails_does_not_end_it(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runners, "_POLL_SECONDS", 0.001)
    result, looks = Result(), []

    def look() -> None:
        looks.append(len(looks))
        if len(looks) == 2:
            raise OSError("no answer now")
        if len(looks) == 3:
            monkeypatch.setattr(Result, "state", str(PipelineState.DONE))

    assert run_until_done(Runs(cluster, result), StopRequest(), on_poll=look, seconds=0.0) is None
    assert looks == [0, 1, 2]
    assert result.waited
    assert not result.cancelled


@pytest.mark.parametrize("arguments", [[], ["--flink_master=[local]"], ["--flink_master=[auto]"]])
def test_a_flink_inside_the_job_server_ends_with_it(arguments: list[str]) -> None:
    assert FlinkJob.about_to_start(PipelineOptions([*arguments, "--job_name=mine"])) is None


def test_what_beam_logs_under_other_names_is_not_shown_at_the_level_of_warnings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    where = "/site-packages/apache_beam/runners/portability/portable_runner.py"
    for level, shown in (("warning", False), ("info", True)):
        configure_logging(LogOptions(level))
        logging.getLogger().handle(
            logging.LogRecord("root", logging.ERROR, where, 540, "java.lang.Trace", None, None)
        )
        assert ("java.lang.Trace" in capsys.readouterr().err) is shown
    configure_logging(LogOptions())
    logging.getLogger("cedar.transforms.read").warning("ours")
    assert "ours" in capsys.readouterr().err


def test_what_the_threads_of_a_runner_print_is_logged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    for level, shown in (("warning", False), ("info", True)):
        configure_logging(LogOptions(level))
        with threads_logged():
            thread = threading.Thread(target=_prints_and_fails)
            thread.start()
            thread.join()
            sys.stderr.write("ours\n")
        error = capsys.readouterr().err
        assert ("Traceback of a bundle" in error, "RuntimeError: the server" in error) == (shown, shown)
        assert "ours" in error


def test_a_thread_of_a_runner_that_fails_after_the_job_has_ended_is_logged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    gone = threading.Event()

    def fail() -> None:
        gone.wait()
        raise RuntimeError("the socket is closed")

    for level, shown in (("warning", False), ("info", True)):
        configure_logging(LogOptions(level))
        gone.clear()
        thread = threading.Thread(target=fail)
        with threads_logged():
            thread.start()
        gone.set()
        thread.join()
        assert ("the socket is closed" in capsys.readouterr().err) is shown


def _prints_and_fails() -> None:
    sys.stderr.write("Traceback of a bundle\n")
    raise RuntimeError("the server is gone")
