"""One extraction method as the registry knows it: what it is called, where it is from, how it is run."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import cast

from cedar.transforms.extractors import options
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.options import Options, OptionSpec


class Fidelity(Enum):
    """How far a method follows what was published; the value is said to people."""

    PAPER = "follows its paper in full"
    RECONSTRUCTION = "reconstruction: the paper leaves parameters or steps open"
    OURS = "Cedar's own"
    YOURS = "from another package"


@dataclass(frozen=True, slots=True)
class Implementation:
    """The code of a method: its options, and a function from valid UTF-8 and these to an extraction.

    `table` is the version of the table that it learned, or "".
    """

    options: type[Options]
    function: Callable[..., Extraction]
    table: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extractor:
    """One method.

    Attributes:
        paper: where it was published, or "" for what was not.
        summary: what it does, one line.
        load: imports its code when the method is asked for, since a run needs one of them.
        builds_tree: it parses pages into trees in C code, which only a killable child bounds.
        asks_for_guard: it wants to run in the killable child, though it builds no tree of ours.
        is_confident: it says how sure it is, in the metrics.
        is_structured: it can write what it keeps as Markdown, though it builds no tree.
    """

    name: str
    paper: str
    summary: str
    fidelity: Fidelity
    load: Callable[[], Implementation]
    builds_tree: bool = False
    asks_for_guard: bool = False
    is_confident: bool = False
    is_structured: bool = False

    @property
    def writes_markdown(self) -> bool:
        """Whether what it keeps can be written as Markdown."""
        return self.is_structured or self.builds_tree

    @property
    def is_guarded(self) -> bool:
        """Whether it runs in the killable child."""
        return self.builds_tree or self.asks_for_guard

    @property
    def is_loose(self) -> bool:
        """Whether it is code of another package that runs unguarded: nothing bounds what it does."""
        return self.fidelity is Fidelity.YOURS and not self.is_guarded

    @property
    def options(self) -> type[Options]:
        """Class of its options record."""
        return self.load().options

    @property
    def function(self) -> Callable[..., Extraction]:
        """Its code; see `Implementation`."""
        return self.load().function

    @property
    def table(self) -> str:
        """The version of the table that it learned, or "" where it learned none."""
        return self.load().table

    @property
    def option_specs(self) -> tuple[OptionSpec, ...]:
        """Its options as people see them."""
        return options.specs(self.options)


@cache  # asked for with each page
def load(module: str, options_name: str, function_name: str) -> Implementation:
    """Import an options record and a function under `cedar.transforms.extractors`."""
    imported = importlib.import_module(f"cedar.transforms.extractors.{module}")
    return Implementation(
        cast("type[Options]", getattr(imported, options_name)),
        cast("Callable[..., Extraction]", getattr(imported, function_name)),
        getattr(imported, "TABLE_VERSION", ""),
    )
