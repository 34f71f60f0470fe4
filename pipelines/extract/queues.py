"""Queues that name the inputs (`--queue`): their URIs, and Beam's java_services for them."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.option_types import invalid_value

if TYPE_CHECKING:
    import apache_beam as beam

_SERVER = r"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}"
_KAFKA = re.compile(
    rf"kafka://({_SERVER}(?:,{_SERVER})*)/([A-Za-z0-9._-]{{1,249}})(?:\?group=([^&#\s]{{1,255}}))?"
)
_RESERVED = {
    "bootstrap.servers": "the URI of --queue names the servers",
    "group.id": "the URI of --queue names it, as kafka://HOST:PORT/TOPIC?group=NAME",
    "key.deserializer": "names of files are read as bytes",
    "value.deserializer": "names of files are read as bytes",
}
_SECRET = re.compile(r"password|secret|jaas\.config|\.key$|credentials|token$")
_PUBSUB = re.compile(r"pubsub://([a-z][a-z0-9.:-]{4,61}[a-z0-9])/([A-Za-z][A-Za-z0-9._~+%-]{2,254})")


@dataclass(frozen=True, slots=True)
class KafkaQueue:
    """A topic of servers `host:port`, with commas, and the consumer group whose place in it is kept.

    None = from the first message that the topic still has, each time a job starts without state.
    Further `properties` of the consumer may be secrets, and are not shown.
    """

    servers: str
    topic: str
    group: str | None
    properties: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def with_properties(self, pairs: Sequence[tuple[str, str]]) -> "KafkaQueue":
        """Return the queue with settings of its consumer, secrets looked up where they are.

        Raises UsageError for a secret that is not there, or stands on the command line for all to see, and
        for a setting that the queue's URI says.
        """
        return replace(self, properties=tuple((name, _resolve_secret(name, value)) for name, value in pairs))

    def hidden(self, text: str) -> str:
        """Return a text without the values of its settings that are secrets."""
        for name, value in self.properties:
            text = text.replace(value, "***") if _SECRET.search(name) and value else text
        return text


def _resolve_secret(name: str, value: str) -> str:
    """Return the value of a setting: a variable's, the content of a file, or the value as given."""
    if name in _RESERVED:
        raise UsageError(f"--kafka-property {name}: {_RESERVED[name]}")
    kind, _, place = value.partition(":")
    if kind == "env":
        if place not in os.environ:
            raise UsageError(f"--kafka-property {name}: the variable {place} is not set")
        return os.environ[place]
    if kind == "file":
        try:
            return Path(place).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as fault:
            why = fault.strerror if isinstance(fault, OSError) else "not text"
            raise UsageError(f"--kafka-property {name}: cannot read {place}: {why}") from None
    if _SECRET.search(name):
        raise UsageError(f"--kafka-property {name}: a secret; write {name}=env:NAME or {name}=file:PATH")
    return value


@dataclass(frozen=True, slots=True)
class PubSubQueue:
    """A subscription of Google Cloud's."""

    project: str
    subscription: str


Queue = KafkaQueue | PubSubQueue


def parse_queue(text: str) -> Queue:
    """Return the queue of a URI; raise argparse.ArgumentTypeError if it is not valid."""
    if kafka := _KAFKA.fullmatch(text):
        return KafkaQueue(kafka[1], kafka[2], unquote(kafka[3]) if kafka[3] else None)
    if pubsub := _PUBSUB.fullmatch(text):
        return PubSubQueue(pubsub[1], pubsub[2])
    raise invalid_value("queue", text, "write it as kafka://HOST:PORT/TOPIC or pubsub://PROJECT/SUBSCRIPTION")


def read_messages(pipeline: "beam.Pipeline", source: Queue, runner: str) -> "beam.PCollection":
    """Put Beam's connector on a pipeline, within `java_services`; return its messages, as bytes.

    Flink's runner fails at checkpoints of a splittable Kafka source. Raises whatever Beam raises where a
    connector is not available, as Kafka's without Java.
    """
    import apache_beam as beam

    if isinstance(source, PubSubQueue):
        from apache_beam.io.gcp.pubsub import ReadFromPubSub

        name = f"projects/{source.project}/subscriptions/{source.subscription}"
        return pipeline | "Receive" >> ReadFromPubSub(subscription=name)
    consumer = {"auto.offset.reset": "earliest", **dict(source.properties)}
    consumer["bootstrap.servers"] = source.servers
    if source.group is not None:
        consumer["group.id"] = source.group
    records = pipeline | "Receive" >> _read_from_kafka(
        consumer,
        source.topic,
        keep_place=source.group is not None,
        service=["--experiments=use_deprecated_read"] if runner == "FlinkRunner" else [],
    )
    # Of a topic that is compacted the value of a record may be missing.
    return records | "Message" >> beam.Map(lambda record: record[1] or b"").with_output_types(bytes)


def _read_from_kafka(
    consumer: dict[str, str], topic: str, *, keep_place: bool, service: list[str]
) -> "beam.PTransform":
    """Return Beam's `ReadFromKafka` with only the settings that are needed.

    `ReadFromKafka` itself names every setting of its own version, also those that are not used, and a Java
    side of an older version refuses settings that it does not know.
    """
    import numpy as np
    from apache_beam.io.kafka import ReadFromKafka, default_io_expansion_service
    from apache_beam.transforms.external import ExternalTransform, ImplicitSchemaPayloadBuilder

    settings = {
        "consumer_config": consumer,
        "topics": [topic],
        "key_deserializer": ReadFromKafka.byte_array_deserializer,
        "value_deserializer": ReadFromKafka.byte_array_deserializer,
        "commit_offset_in_finalize": keep_place,
        "timestamp_policy": ReadFromKafka.processing_time_policy,
        "redistribute": False,
        "redistribute_num_keys": np.int32(0),
        "allow_duplicates": False,
        "consumer_polling_timeout": 2,
    }
    payload = ImplicitSchemaPayloadBuilder(settings)
    return ExternalTransform(
        ReadFromKafka.URN_WITHOUT_METADATA, payload, default_io_expansion_service(service)
    )
