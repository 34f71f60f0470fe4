"""Clean text out of web pages: the public names of Cedar. All else is internal.

    import cedar
    cedar.extract(html).text

`ReadWarc`, `DecodePage` and `Extract` are Beam transforms for pipelines of your own; Beam is imported when
one of them is asked for.
"""

from __future__ import annotations

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

from transforms.extractors import (  # noqa: E402 - after the check
    About,
    Block,
    Extraction,
    MarkdownOptions,
    extract,
    extractor,
    names,
)
from transforms.metadata import Metadata, metadata  # noqa: E402 - as above

if TYPE_CHECKING:
    from transforms.decode_page import DecodePage
    from transforms.extract import Extract
    from transforms.read import ReadWarc

__all__ = [
    "About",
    "Block",
    "DecodePage",
    "Extract",
    "Extraction",
    "MarkdownOptions",
    "Metadata",
    "ReadWarc",
    "extract",
    "extractor",
    "metadata",
    "names",
]

__version__ = _version("cedar-corpus")

_BEAM = {
    "DecodePage": "transforms.decode_page",
    "Extract": "transforms.extract",
    "ReadWarc": "transforms.read",
}
"""Names that are imported when they are asked for, and with them Beam."""


def __getattr__(name: str) -> object:
    """Import a Beam transform when it is asked for."""
    if name in _BEAM:
        return getattr(import_module(_BEAM[name]), name)
    raise AttributeError(f"module 'cedar' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, those of Beam's side with them."""
    return sorted({*__all__, "__version__"})
