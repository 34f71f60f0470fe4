"""What a site of `cedar browse` holds, read back as its script reads it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

_CHUNK = re.compile(r'cedar\("([a-z0-9-]+)","([A-Za-z0-9+/=]*)"\);\n')


def chunk(site: Path, name: str) -> Any:
    """The value of a chunk of data."""
    match = _CHUNK.fullmatch((site / "data" / f"{name}.js").read_text(encoding="ascii"))
    assert match is not None
    assert match[1] == name
    return json.loads(zlib.decompress(base64.b64decode(match[2])))


def index(site: Path) -> dict[str, Any]:
    """The index of a site; `rows` are those of all chunks, by the names of their columns."""
    found = chunk(site, "index")
    found["rows"] = []
    for number in range(len(found["chunks"]["pages"])):
        for values in chunk(site, f"pages-{number}"):
            verdict = found["strata"][found["stratum"][len(found["rows"])]][0]
            kind = "rejects" if verdict == "rejected" else "pages"
            names = [*(column[0] for column in found["columns"][kind]), "command", "judged"]
            found["rows"].append(dict(zip(names, values, strict=True)))
    return found
