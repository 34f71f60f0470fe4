"""Places of files: one name for each, and whether one is, holds or lies in another, through links."""

import contextlib
import os
from typing import Literal

from cedar.transforms.files.storage import is_uri

Relation = Literal["is", "lies in", "holds"]


def absolute(path: str) -> str:
    """Return an absolute path, in which links keep their names, or a URI; no slash at its end."""
    if not is_uri(path):
        return os.path.abspath(path)  # noqa: PTH100 - Path.resolve would follow links
    scheme, _, rest = path.partition("://")
    return f"{scheme.lower()}://{rest.rstrip('/')}"


def relation(place: str, other: str) -> Relation | None:
    """Tell how two places lie to each other; None if they have nothing in common.

    Links are followed. A place that does not exist yet is judged by the directory that it would lie in.
    """
    if is_uri(place) != is_uri(other):
        return None
    if lies_in(place, other):
        return "is" if lies_in(other, place) else "lies in"
    return "holds" if lies_in(other, place) else None


def lies_in(place: str, directory: str) -> bool:
    """Tell whether a place is a directory or lies below it."""
    if is_uri(place):
        return f"{absolute(place)}/".startswith(f"{absolute(directory)}/")
    real, top = os.path.realpath(place), os.path.realpath(directory)
    if os.path.commonpath((real, top)) == top:
        return True
    with contextlib.suppress(OSError):
        return os.path.samefile(real, top)  # noqa: PTH121 - a path need not be valid text
    return False
