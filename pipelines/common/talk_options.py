"""What a run prints and logs, as options: shared by the commands that may run for long."""

from __future__ import annotations

from typing import Any

from transforms.model.options import Group, flag, option

RUNNING = Group("how it runs")

_LOG_LEVELS = ("debug", "info", "warning", "error")


def quiet_option(group: Group | None = RUNNING) -> Any:
    """Make the field that says whether a run prints."""
    return flag("print nothing but errors", group=group)


def log_level_option() -> Any:
    """Make the field that says how much a run logs."""
    return option(", ".join(_LOG_LEVELS), "warning", choices=_LOG_LEVELS, metavar="LEVEL", group=RUNNING)
