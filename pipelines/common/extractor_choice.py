"""An extractor as a person writes it: `cetr`, `cetr:smoothing=literal,k=4`, `package.module:function:k=4`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.common.option_values import refused

# A comma that no K= follows belongs to the value: some options are lists.
_BETWEEN_PAIRS = re.compile(r",(?=[^,=]+=)")


@dataclass(frozen=True, slots=True)
class ExtractorChoice:
    """An extractor as the user wrote it."""

    name: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """How results call it: as it is written on the command line."""
        given = ",".join(f"{name}={value}" for name, value in self.options)
        return f"{self.name}:{given}" if given else self.name


DEFAULT_CHOICE = ExtractorChoice("cedar")
"""What a command takes where no extractor is named."""


def extractor_choice(text: str) -> ExtractorChoice:
    """Parse a name, `peer:NAME`, or `package.module:function`; then, after a colon, `K=V,K=V`.

    Raises argparse.ArgumentTypeError if it is not written so.
    """
    name, _, given = text.rpartition(":")
    if "=" not in given:
        name, given = text, ""
    pairs = [pair.partition("=")[::2] for pair in _BETWEEN_PAIRS.split(given)] if given else []
    if not name or name.endswith(":") or "=" in name or not all(key and value for key, value in pairs):
        raise refused("extractor", text, "write it as cetr or cetr:smoothing=literal,k=4")
    return ExtractorChoice(name, tuple(pairs))
