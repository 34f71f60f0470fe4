"""Clean text out of web pages: the public names of Cedar. All else is internal.

    import cedar
    cedar.extract(html).text

`records` reads the records of any input. `ReadWarc`, `from_html`, `DecodePage`, `Extract`, `ExtractRows` and
`WriteCorpus` are for Beam pipelines of your own; Beam is imported when a transform is asked for.
"""

from importlib import import_module
from importlib.metadata import version as _version
from importlib.util import find_spec as _find_spec
from pathlib import Path as _Path
from typing import TYPE_CHECKING

for _name in ("transforms", "pipelines"):
    _spec = _find_spec(_name)
    if _spec is None or _spec.origin is None or _Path(_spec.origin).parents[1] != _Path(__file__).parents[1]:
        raise ImportError(
            f"Cedar's package {_name!r} is shadowed by {_spec.origin if _spec else 'nothing'}: "
            f"rename that package, or start Python where it is not on sys.path"
        )
if _find_spec("cedar.transforms.decode._utf8") is None:
    raise ImportError(
        f"Cedar's modules in {_Path(__file__).parents[1]} are not compiled: start Python elsewhere to use an "
        f"installed Cedar, or run there pip install --editable '.[language]'"
    )

from cedar.transforms.extractors import (  # noqa: E402 - after the check
    About,
    Block,
    Extraction,
    MarkdownOptions,
    extract,
    extractor,
    names,
)
from cedar.transforms.metadata import Metadata, metadata  # noqa: E402 - as above

if TYPE_CHECKING:
    from cedar.transforms.corpus.shard_reader import ReadPlan, from_html, records
    from cedar.transforms.curation.own_signals import SignalInput
    from cedar.transforms.decode.page import PageFilter
    from cedar.transforms.decode_page import DecodePage
    from cedar.transforms.extract import Extract
    from cedar.transforms.extract_rows import ExtractRows
    from cedar.transforms.model.records import Page, PageRow, Record, Reject
    from cedar.transforms.read import ReadWarc
    from cedar.transforms.write_corpus import WriteCorpus

__all__ = [
    "About",
    "Block",
    "DecodePage",
    "Extract",
    "ExtractRows",
    "Extraction",
    "MarkdownOptions",
    "Metadata",
    "Page",
    "PageFilter",
    "PageRow",
    "ReadPlan",
    "ReadWarc",
    "Record",
    "Reject",
    "SignalInput",
    "WriteCorpus",
    "extract",
    "extractor",
    "from_html",
    "metadata",
    "names",
    "records",
]

__version__ = _version("cedar-corpus")

_LATER = {
    "DecodePage": "cedar.transforms.decode_page",
    "Extract": "cedar.transforms.extract",
    "ExtractRows": "cedar.transforms.extract_rows",
    "Page": "cedar.transforms.model.records",
    "PageFilter": "cedar.transforms.decode.page",
    "PageRow": "cedar.transforms.model.records",
    "ReadPlan": "cedar.transforms.corpus.shard_reader",
    "ReadWarc": "cedar.transforms.read",
    "Record": "cedar.transforms.model.records",
    "Reject": "cedar.transforms.model.records",
    "SignalInput": "cedar.transforms.curation.own_signals",
    "WriteCorpus": "cedar.transforms.write_corpus",
    "from_html": "cedar.transforms.corpus.shard_reader",
    "records": "cedar.transforms.corpus.shard_reader",
}
"""Names that are imported when they are asked for: transforms bring Beam with them, readers pyarrow."""


def __getattr__(name: str) -> object:
    """Import a name when it is asked for."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'cedar' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, those with them that are imported later."""
    return sorted({*__all__, "__version__"})
