"""A broker of Kafka on this machine that asks who one is (SASL_SSL, by PLAIN and SCRAM-SHA-256)."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

from tests.integration.engines.runs import ROOT

JARS = ROOT / "build" / "kafka"
USER = "crawler"
PASSWORD, STORE_PASSWORD = "hidden-4711-word", "hidden-0815-store"
_SECONDS = 90
_LOGIN = "org.apache.kafka.common.security"
_CLUSTER = "MkU3OEVBNTcwNTJENDM2Qk"


class Broker:
    """A broker, from `start` to `stop`; `names` is a topic of two partitions, made by the first message.

    Args:
        home: a directory for what it keeps, its keys, and the client's trust store.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self.trust = home / "trust.p12"
        self.port, self._inside, self._controller = _free_ports(3)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def queue(self) -> str:
        """The URI of the topic."""
        return f"kafka://localhost:{self.port}/names"

    def jaas(self, mechanism: str, password: str = PASSWORD) -> str:
        """What a client says of itself."""
        module = "plain.PlainLoginModule" if mechanism == "PLAIN" else "scram.ScramLoginModule"
        return f'{_LOGIN}.{module} required username="{USER}" password="{password}";'

    def start(self) -> None:
        """Make keys, and start it."""
        store = ("-storetype", "PKCS12", "-storepass", STORE_PASSWORD)
        keys, certificate = self.home / "broker.p12", self.home / "broker.crt"
        name = ("-alias", "broker")
        made = ("-keyalg", "RSA", "-validity", "2", "-dname", "CN=localhost", "-ext", "SAN=dns:localhost")
        _run("keytool", "-genkeypair", *name, *made, "-keystore", keys, *store)
        _run("keytool", "-exportcert", *name, "-keystore", keys, "-file", certificate, *store)
        trusted = ("-noprompt", "-keystore", self.trust, "-file", certificate)
        _run("keytool", "-importcert", *trusted, *name, *store)
        properties = self.home / "server.properties"
        properties.write_text(self._properties(keys))
        scram = f"SCRAM-SHA-256=[name={USER},password={PASSWORD}]"
        tool = ("kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", properties, "--add-scram", scram)
        _run(*_java(*tool))
        with (self.home / "broker.log").open("wb") as log:
            self._process = subprocess.Popen(_java("kafka.Kafka", properties), stdout=log, stderr=log)
        deadline = time.monotonic() + _SECONDS
        while not answers(self.port):
            assert self._process.poll() is None, (self.home / "broker.log").read_text()[-4000:]
            assert time.monotonic() < deadline, "the broker does not start"
            time.sleep(0.1)

    def send(self, messages: Iterable[object]) -> None:
        """Put messages into the topic."""
        place = ("--bootstrap-server", f"localhost:{self._inside}", "--topic", "names")
        _run(
            *_java("kafka.tools.ConsoleProducer", *place),
            said="".join(f"{message}\n" for message in messages),
        )

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _properties(self, keys: Path) -> str:
        clients = "listener.name.clients"
        plain = f'{_LOGIN}.plain.PlainLoginModule required user_{USER}="{PASSWORD}";'
        settings = {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": f"1@localhost:{self._controller}",
            "listeners": f"CLIENTS://localhost:{self.port},INSIDE://localhost:{self._inside},"
            f"CONTROLLER://localhost:{self._controller}",
            "advertised.listeners": f"CLIENTS://localhost:{self.port},INSIDE://localhost:{self._inside}",
            "listener.security.protocol.map": "CLIENTS:SASL_SSL,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "controller.listener.names": "CONTROLLER",
            "inter.broker.listener.name": "INSIDE",
            "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256",
            f"{clients}.plain.sasl.jaas.config": plain,
            f"{clients}.scram-sha-256.sasl.jaas.config": f"{_LOGIN}.scram.ScramLoginModule required;",
            "ssl.keystore.type": "PKCS12",
            "ssl.keystore.location": str(keys),
            "ssl.keystore.password": STORE_PASSWORD,
            "num.partitions": "2",
            "offsets.topic.replication.factor": "1",
            "log.dirs": str(self.home / "log"),
        }
        return "".join(f"{name}={value}\n" for name, value in settings.items())


def _java(*arguments: object) -> list[str]:
    return ["java", "-Xmx512m", "-cp", f"{JARS}/*", *map(str, arguments)]


def _run(*command: object, said: str = "") -> None:
    words = [str(word) for word in command]
    done = subprocess.run(words, input=said, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def answers(port: int) -> bool:
    """Whether something listens at a port here."""
    with socket.socket() as probe:
        return probe.connect_ex(("localhost", port)) == 0


def _free_ports(number: int) -> list[int]:
    sockets = [socket.socket() for _ in range(number)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
