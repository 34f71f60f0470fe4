"""The options of `cedar extractors`."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.pipelines.common.shared_options import json_option
from cedar.transforms.model.options import flag, option


@dataclass(frozen=True, slots=True)
class ExtractorsOptions:
    """The options of `cedar extractors`."""

    names: tuple[str, ...] = option(
        "a method: its paper and options", name="names", repeats="*", metavar="NAME", shown="one line each"
    )
    bibtex: bool = flag("print the methods' papers for a bibliography")
    json: bool = json_option("one object per method and line", None)


COMMAND = Command(
    usage="[NAME ...] [--bibtex] [--json]",
    summary="list the methods, or show the paper and options of one",
    description="List the methods that --extractor takes; given names, show their papers and options.",
    examples="examples:\n  cedar extractors cetr\n  cedar extractors cetr cetd-ds --bibtex\n",
    record=ExtractorsOptions,
)
