"""Options of Beam's on Cedar's command line: the known ones, parted from Cedar's own; S3's options."""

import argparse
import itertools
from collections.abc import Iterator, Sequence

from cedar.pipelines.common.arguments import Parser
from cedar.pipelines.common.errors import UsageError
from cedar.transforms.files.storage import StoreEnvironment

_VARIABLES = {
    "--s3_endpoint_url": "AWS_ENDPOINT_URL_S3",
    "--s3_region_name": "AWS_DEFAULT_REGION",
    "--s3_access_key_id": "AWS_ACCESS_KEY_ID",
    "--s3_secret_access_key": "AWS_SECRET_ACCESS_KEY",
    "--s3_session_token": "AWS_SESSION_TOKEN",
}

_INSTEAD = {
    "--s3_verify": "set AWS_CA_BUNDLE to the file of certificates",
    "--s3_disable_ssl": "write --s3_endpoint_url=http://...",
    "--s3_api_version": "leave it out: there is one version",
}


def split_arguments(parser: Parser, argv: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Part Cedar's arguments from Beam's; raise UsageError for an option that neither has."""
    actions = parser._option_string_actions
    own: list[str] = []
    beam: list[str] = []
    rest = parser.with_dashes(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            own += [word, *rest]
            break
        if not word.startswith("--"):
            own.append(word)
            continue
        name, equals, _ = word.partition("=")
        if name in actions:
            own.append(word)
            if not equals and actions[name].nargs != 0 and rest:
                own.append(rest.pop(0))
            continue
        known = beam_actions()
        if name not in known:
            import difflib

            close = difflib.get_close_matches(name.replace("_", "-"), actions, 1)
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
    from cedar.pipelines.common.logs import imports_quietly

    with imports_quietly():
        from apache_beam.options.pipeline_options import PipelineOptions

    parser = argparse.ArgumentParser(add_help=False, conflict_handler="resolve")
    for options in PipelineOptions.__subclasses__():
        if "_add_argparse_args" in vars(options):
            options._add_argparse_args(parser)
    known = {name: action.nargs != 0 for name, action in parser._option_string_actions.items()}
    return known | dict.fromkeys(_FLINK_OPTIONS, True) | dict.fromkeys(_FLINK_FLAGS, False)


def store_environment(beam_arguments: Sequence[str]) -> StoreEnvironment:
    """Return what Beam's arguments say of S3; raise UsageError for one that has no meaning here."""
    variables = {}
    for name, value in _with_values(beam_arguments):
        if name in _INSTEAD:
            raise UsageError(f"{name} is not read: {_INSTEAD[name]}")
        if name in _VARIABLES:
            if not value:
                raise UsageError(f"{name} needs a value")
            variables[_VARIABLES[name]] = value
    return StoreEnvironment(tuple(variables.items()))


def _with_values(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the options among arguments with their values, written as `--name=value` or `--name value`."""
    for argument, after in itertools.pairwise((*arguments, "")):
        name, equals, value = argument.partition("=")
        if name.startswith("--"):
            yield name, value if equals else "" if after.startswith("--") else after
