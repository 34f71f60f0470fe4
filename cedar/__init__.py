"""Clean text out of web pages: the public names of Cedar. All else is internal.

    import cedar
    cedar.extract(html).text

`evaluate` scores extractors, `records` reads the records of any input. `ReadWarc`, `from_html`, `DecodePage`,
`Extract`, `ExtractRows` and `WriteCorpus` are for Beam pipelines of your own; each of them is imported when
it is asked for, so that `import cedar` brings neither Beam nor pyarrow.
"""

from importlib import import_module as _import_module
from importlib.util import find_spec as _find_spec
from pathlib import Path as _Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cedar.pipelines.evaluate.table import evaluate
    from cedar.transforms.curation.own_signals import SignalInput
    from cedar.transforms.decode.page import PageFilter
    from cedar.transforms.decode_page import DecodePage
    from cedar.transforms.extract_rows import Extract, ExtractRows
    from cedar.transforms.extractors.extraction import Block, Extraction
    from cedar.transforms.extractors.options import About
    from cedar.transforms.extractors.plugins import extractor
    from cedar.transforms.extractors.registry import names
    from cedar.transforms.metadata import Metadata, metadata
    from cedar.transforms.model.markdown_options import MarkdownOptions
    from cedar.transforms.model.records import Page, PageRow, Record, Reject
    from cedar.transforms.read import ReadWarc
    from cedar.transforms.readers.records import from_html, records
    from cedar.transforms.readers.shard_reader import ReadPlan
    from cedar.transforms.runtime.single_page import extract
    from cedar.transforms.write_corpus import WriteCorpus

    __version__: str

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
    "evaluate",
    "extract",
    "extractor",
    "from_html",
    "metadata",
    "names",
    "records",
]

_MODULES = {
    "About": "transforms.extractors.options",
    "Block": "transforms.extractors.extraction",
    "DecodePage": "transforms.decode_page",
    "Extract": "transforms.extract_rows",
    "ExtractRows": "transforms.extract_rows",
    "Extraction": "transforms.extractors.extraction",
    "MarkdownOptions": "transforms.model.markdown_options",
    "Metadata": "transforms.metadata",
    "Page": "transforms.model.records",
    "PageFilter": "transforms.decode.page",
    "PageRow": "transforms.model.records",
    "ReadPlan": "transforms.readers.shard_reader",
    "ReadWarc": "transforms.read",
    "Record": "transforms.model.records",
    "Reject": "transforms.model.records",
    "SignalInput": "transforms.curation.own_signals",
    "WriteCorpus": "transforms.write_corpus",
    "evaluate": "pipelines.evaluate.table",
    "extract": "transforms.runtime.single_page",
    "extractor": "transforms.extractors.plugins",
    "from_html": "transforms.readers.records",
    "metadata": "transforms.metadata",
    "names": "transforms.extractors.registry",
    "records": "transforms.readers.records",
}
"""The module below `cedar` of each public name."""


def not_compiled() -> str | None:
    """Return a message if the sources that Python found are not compiled; else None."""
    if _find_spec("cedar.transforms.decode._utf8") is not None:
        return None
    return (
        f"Cedar's modules in {_Path(__file__).resolve().parents[1]} are not compiled: start Python elsewhere "
        "to use an installed Cedar, or run there pip install --editable '.[language]'"
    )


def stale_build() -> str | None:
    """Return a message if a source in this checkout is younger than all that is compiled; else None."""
    root = _Path(__file__).resolve().parents[1]
    folder = root / "transforms"
    if not (root / "setup.py").is_file():
        return None  # an installed package has its sources and compiled modules of one time
    sources = [*folder.rglob("*.pyx"), *folder.rglob("*.pxd")]
    compiled = [*folder.rglob("*.so")]
    if max(path.stat().st_mtime for path in sources) <= max(path.stat().st_mtime for path in compiled):
        return None
    command = "python setup.py build_ext --inplace"
    return f"the sources in {root} changed since they were compiled: run there {command}"


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("cedar-corpus")
    elif name in _MODULES:
        if (reason := not_compiled()) is not None:
            raise ImportError(reason)
        try:
            value = getattr(_import_module(f"cedar.{_MODULES[name]}"), name)
        except ImportError as fault:
            from cedar.transforms.model.packages import missing_package

            missing = missing_package(fault) if isinstance(fault, ModuleNotFoundError) else None
            reason = f"cedar.{name} needs {missing}" if missing is not None else stale_build()
            if reason is None:
                raise
            raise ImportError(reason) from fault
    else:
        raise AttributeError(f"module 'cedar' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, also those that were not imported yet."""
    return sorted({*__all__, "__version__"})
