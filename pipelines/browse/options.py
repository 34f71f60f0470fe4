"""The options of `cedar browse`: one frozen record, and the parser that makes it."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.pipelines.common.option_types import invalid_value
from cedar.pipelines.common.shared_options import quiet_option, root_option
from cedar.transforms.model.options import flag, option, required


def _replay(text: str) -> str:
    """Return the address of a replay: an HTTP URL with `{url}`, and perhaps `{timestamp}`."""
    if not text.startswith(("https://", "http://")) or "{url}" not in text:
        raise invalid_value(
            "address of a replay", text, "write it as https://pywb.example/coll/{timestamp}/{url}"
        )
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowseOptions:
    """The options of `cedar browse`."""

    corpus: str = required("directory or URI of a corpus", name="corpus", unit="path", metavar="CORPUS")
    duplicates: str | None = option(
        "result of cedar dedup over the corpus: show duplicates side by side",
        unit="path",
        metavar="RESULT",
    )
    sample: int = option(
        "at most N rows; of a larger corpus, some of each rule, language and length", 10_000, unit="number"
    )
    drawings: int = option(
        "draw N pages as cedar explain does, if their archives are on this machine or in an object store",
        50,
        unit="whole",
    )
    replay: str | None = option(
        "link each page to its replay in a web archive, such as https://pywb.example/coll/{timestamp}/{url}",
        parse=_replay,
        metavar="URL",
    )
    crawl_root: str | None = root_option()
    output: str = option("directory of the site", "site", unit="local path", metavar="DIR", alias="-o")
    open: bool = flag("show it in the browser")
    quiet: bool = quiet_option(None)


COMMAND = Command(
    usage="CORPUS [options]",
    summary="make a website of a corpus, to search and read its pages",
    description="Make a website of a corpus: its pages, with search, and why each was kept or not.",
    examples="""examples:
  cedar browse corpus/ --open
  cedar browse corpus/ --duplicates unique/ --output site/
  cedar browse corpus/ --replay 'https://pywb.example/coll/{timestamp}/{url}'
""",
    record=BrowseOptions,
)
