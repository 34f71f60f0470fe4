"""What happens to shards, as records of the log: programs read them with `--log-format json`."""

from __future__ import annotations

import logging

EVENTS = "cedar.events"
"""The logger of events."""


def event(what: str, **about: str | float) -> None:
    """Log that something happened.

    Args:
        what: `shard begun`, `shard done`, `shard retried`, `shard failed` or `run ended`.
        about: names and values that belong to it.
    """
    told = " ".join(f"{name}={value}" for name, value in about.items())
    logging.getLogger(EVENTS).info("%s %s", what, told, extra={"event": what, "about": about})
