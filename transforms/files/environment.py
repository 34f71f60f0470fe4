"""What a job was told of its stores: variables of the environment, which the stores' own clients read."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class StoreEnvironment:
    """Variables that hold in every process that works on a job, wherever it runs.

    Attributes:
        variables: names and values; they may be secrets, and are not shown.
    """

    variables: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def enter(self) -> None:
        """Set the variables in this process; those that are not named stay."""
        os.environ.update(self.variables)
