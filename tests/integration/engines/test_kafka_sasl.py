"""Names of inputs from a broker that asks who one is (SASL_SSL), read by Flink inside the job server."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.helpers.crawl import write_warc
from tests.integration.engines.kafka.broker import PASSWORD, STORE_PASSWORD, Broker, answers
from tests.integration.engines.runs import EMBEDDED, JOB_SERVER, books, finish, start, urls, wait_until

pytestmark = [pytest.mark.needs("java"), pytest.mark.timeout(900)]

_PACKAGES = (
    *("lang", "net", "io", "nio", "lang.reflect", "text", "time"),
    *("util", "util.concurrent", "util.concurrent.atomic", "util.concurrent.locks"),
)
OPENS = " ".join(f"--add-opens=java.base/java.{package}=ALL-UNNAMED" for package in _PACKAGES)
SECRETS = (PASSWORD, STORE_PASSWORD)
WRONG = "hidden-but-wrong"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    broker = Broker(tmp_path_factory.mktemp("broker"))
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The option that names an expansion service."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    name = "org.apache.beam.sdk.expansion.service.ExpansionService"
    command = ["java", "-Xmx128m", "-cp", str(JOB_SERVER), name, str(port)]
    command += ["--defaultEnvironmentType=EMBEDDED", "--experiments=use_deprecated_read"]
    log = tmp_path_factory.mktemp("service") / "log"
    with log.open("wb") as file, subprocess.Popen(command, stdout=file, stderr=file) as process:
        while not answers(port):
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
        yield f'--beam_services={{"sdks:java:io:expansion-service:shadowJar": "localhost:{port}"}}'
        process.kill()
    assert not [secret for secret in (*SECRETS, WRONG) if secret in log.read_text()]


def follow(broker: Broker, corpus: Path, service: str, mechanism: str, jaas: str) -> subprocess.Popen[str]:
    """Start a job that reads names from the broker."""
    return start(
        *(sys.executable, "-m", "cedar", "extract", "--queue", broker.queue, "--output", corpus),
        *(*EMBEDDED, "--checkpointing_interval=2000", service, "--extractor", "cetr"),
        *(
            "--kafka-property",
            "security.protocol=SASL_SSL",
            "--kafka-property",
            f"sasl.mechanism={mechanism}",
        ),
        *("--kafka-property", "sasl.jaas.config=env:JAAS"),
        *("--kafka-property", f"ssl.truststore.location={broker.trust}"),
        *("--kafka-property", "ssl.truststore.type=PKCS12"),
        *("--kafka-property", "ssl.truststore.password=env:TRUST"),
        JAVA_TOOL_OPTIONS=OPENS,
        JAAS=jaas,
        TRUST=STORE_PASSWORD,
    )


def secrets_on_command_lines() -> list[str]:
    """Command lines of processes here that show a secret."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            line = " ".join(process.cmdline())
            found += [line for secret in (*SECRETS, WRONG) if secret in line and "keytool" not in line]
    return found


def files_with_secrets(folder: Path) -> list[Path]:
    """Files below a folder that hold a secret."""
    held = [(path, path.read_bytes()) for path in folder.rglob("*") if path.is_file()]
    return [path for path, content in held if any(word.encode() in content for word in (*SECRETS, WRONG))]


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256"])
def test_names_come_from_a_broker_that_asks_for_a_password(
    broker: Broker, service: str, mechanism: str, tmp_path: Path
) -> None:
    files = [write_warc(tmp_path / "in" / f"{mechanism}-{n}.warc.gz", 6, first=1000 * n) for n in range(4)]
    broker.send(files)
    corpus = tmp_path / "corpus"
    job = follow(broker, corpus, service, mechanism, broker.jaas(mechanism))
    # Names that an earlier test has sent come, too.
    wait_until(lambda: len(list(corpus.glob(f"shards/{mechanism}*.json"))) == 4, job)
    assert secrets_on_command_lines() == []
    wait_until(lambda: (corpus / "run.json").exists() and books(corpus)["pages"] >= 24, job)
    job.terminate()
    said = finish(job)
    assert set(urls(corpus)) == {f"https://crawl.example/{1000 * f + n}" for f in range(4) for n in range(6)}
    assert not [secret for secret in SECRETS if secret in said]
    assert files_with_secrets(corpus) == []


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256"])
def test_a_wrong_password_ends_in_one_line_without_it(
    broker: Broker, service: str, mechanism: str, tmp_path: Path
) -> None:
    job = follow(broker, tmp_path / "corpus", service, mechanism, broker.jaas(mechanism, WRONG))
    said = finish(job, 1)
    lines = [line for line in said.splitlines() if line.startswith("cedar: ")]
    assert len(lines) == 1, said[-4000:]
    assert "uthentication" in lines[0]
    assert not [secret for secret in (*SECRETS, WRONG) if secret in said]
    assert files_with_secrets(tmp_path / "corpus") == []
