"""Beam's options of S3, as the environment of the client that Cedar reaches it with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from pipelines.common.errors import UsageError
from transforms.files.storage import StoreEnvironment

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


def store_environment(beam_arguments: Sequence[str]) -> StoreEnvironment:
    """Return what Beam's arguments say of S3; raise UsageError for one that has no meaning here."""
    variables = {}
    for name, value in _named(beam_arguments):
        if name in _INSTEAD:
            raise UsageError(f"{name} is not read: {_INSTEAD[name]}")
        if name in _VARIABLES:
            if not value:
                raise UsageError(f"{name} needs a value")
            variables[_VARIABLES[name]] = value
    return StoreEnvironment(tuple(variables.items()))


def _named(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the options among arguments with their values, written as `--name=value` or `--name value`."""
    for argument, after in itertools.pairwise((*arguments, "")):
        name, equals, value = argument.partition("=")
        if name.startswith("--"):
            yield name, value if equals else "" if after.startswith("--") else after
