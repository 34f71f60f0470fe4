"""What a run prints and logs, as options: shared by the commands that may run for long."""

from __future__ import annotations

import argparse

_LOG_LEVELS = ("debug", "info", "warning", "error")


def add_talk_arguments(group: argparse._ActionsContainer) -> None:
    """Add the arguments that say how much a run prints and logs."""
    group.add_argument("--quiet", action="store_true", help="print nothing but errors")
    group.add_argument(
        "--log-level",
        choices=_LOG_LEVELS,
        default="warning",
        metavar="LEVEL",
        help=f"{', '.join(_LOG_LEVELS)} (default: warning)",
    )
