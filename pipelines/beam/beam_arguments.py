"""Options of Beam's on Cedar's command line: which are known, and parting them from Cedar's own."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from pipelines.common.errors import UsageError


def split_arguments(
    parser: argparse.ArgumentParser, argv: Sequence[str], beam_actions: Callable[[], dict[str, bool]]
) -> tuple[list[str], tuple[str, ...]]:
    """Part Cedar's arguments from Beam's; underscores in Cedar's become dashes."""
    actions = parser._option_string_actions
    own: list[str] = []
    beam: list[str] = []
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            own += [word, *rest]
            break
        if not word.startswith("--"):
            own.append(word)
            continue
        name, equals, value = word.partition("=")
        dashed = name.replace("_", "-")
        if dashed in actions:
            own.append(dashed + equals + value)
            if not equals and actions[dashed].nargs != 0 and rest:
                own.append(rest.pop(0))
            continue
        known = beam_actions()
        if name not in known:
            import difflib

            close = difflib.get_close_matches(dashed, actions, 1)
            hint = f", did you mean {close[0]}?" if close else ""
            raise UsageError(f"unknown option {name}{hint} (see `{parser.prog} --help`)")
        beam.append(word)
        if not equals and known[name] and rest:
            beam.append(rest.pop(0))
    return own, tuple(beam)


_FLINK_OPTIONS = (
    "--checkpointing_interval",
    "--checkpoint_timeout_millis",
    "--min_pause_between_checkpoints",
    "--state_backend",
    "--state_backend_storage_path",
    "--savepoint_path",
    "--max_bundle_size",
    "--max_bundle_time_mills",
    "--max_parallelism",
    "--flink_conf_dir",
)
_FLINK_FLAGS = (
    "--unaligned_checkpoint_enabled",
    "--retain_externalized_checkpoints_on_cancellation",
    "--allow_non_restored_state",
)
"""Options of the Flink runner that Beam's Python side does not list: the job server knows them."""


def beam_actions() -> dict[str, bool]:
    """Beam's own command-line options -> whether each takes a value."""
    from pipelines.common.logs import imports_quietly

    with imports_quietly():
        from apache_beam.options.pipeline_options import PipelineOptions

    parser = argparse.ArgumentParser(add_help=False, conflict_handler="resolve")
    for options in PipelineOptions.__subclasses__():
        if "_add_argparse_args" in vars(options):
            options._add_argparse_args(parser)
    known = {name: action.nargs != 0 for name, action in parser._option_string_actions.items()}
    return known | dict.fromkeys(_FLINK_OPTIONS, True) | dict.fromkeys(_FLINK_FLAGS, False)
