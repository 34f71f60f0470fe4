"""The options of `cedar sample`."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.pipelines.common.shared_options import quiet_option
from cedar.transforms.model.options import flag, option, required


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOptions:
    """The options of `cedar sample`."""

    output: str = required(
        "WARC file to write, or directory of a mirror",
        name="output",
        unit="local path",
        metavar="PATH",
    )
    pages: int | None = option(
        "add N generated pages; with --mirror: pages of each file",
        unit="whole",
        shown="0, with --mirror 60",
    )
    mirror: bool = flag("write a mirror of Common Crawl with two small crawls of three files each")
    quiet: bool = quiet_option(None)


COMMAND = Command(
    usage="PATH [options]",
    summary="write a small crawl to try Cedar on",
    description="Write a small crawl to try Cedar on. The same options write the same bytes.",
    examples="""examples:
  cedar sample demo/sample.warc.gz --pages 200
  cedar sample mirror/ --mirror
""",
    record=SampleOptions,
)
