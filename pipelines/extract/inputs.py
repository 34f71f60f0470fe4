"""What `cedar extract` is to read, as it was named."""

from __future__ import annotations

from dataclasses import replace

from pipelines.extract.options import ExtractOptions
from transforms.corpus.http_client import Web
from transforms.corpus.http_patience import Persistence

_PATIENCE = Persistence(attempts=5)
"""Somebody waits for the listing of inputs; that of a file by a worker may take its time."""


def launcher_web(options: ExtractOptions) -> Web:
    """What asks web servers before the workers do."""
    return Web(replace(options.web, persistence=_PATIENCE))
