"""What happens to shards, as records of the log: programs read them with `--log-format json`."""

import logging

EVENTS = "cedar.events"
"""The logger of events."""


def event(what: str, **about: str | float) -> None:
    """Log what happened, as `shard begun`, `shard retried` or `run ended`, with names and values about it."""
    details = " ".join(f"{name}={value}" for name, value in about.items())
    logging.getLogger(EVENTS).info("%s %s", what, details, extra={"event": what, "about": about})
