"""The options of `cedar extractors`."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.pipelines.common.shared_options import json_option
from cedar.transforms.model.options import option


@dataclass(frozen=True, slots=True)
class ExtractorsOptions:
    """The options of `cedar extractors`."""

    names: tuple[str, ...] = option(
        "a method: its paper and options", name="names", repeats="*", metavar="NAME", shown="one line each"
    )
    json: bool = json_option("one object per method and line", None)


COMMAND = Command(
    usage="[NAME ...] [--json]",
    summary="list the methods, or show the paper and options of one",
    description="List the methods that --extractor takes; given names, show their papers and options.",
    examples="examples:\n  cedar extractors\n  cedar extractors cetr\n",
    record=ExtractorsOptions,
)
