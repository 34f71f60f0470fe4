"""Tables of docs/ that repeat what the code says: `python docs/tables.py` writes them again, in place.

A table stands between `<!-- table NAME -->` and `<!-- /table -->`. Building the site makes its tables, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from cedar.pipelines.dedup.lines import LINE_COLUMNS
from cedar.pipelines.dedup.tables import DUPLICATE_COLUMNS
from cedar.transforms.corpus.revisits import OriginalRow
from cedar.transforms.curation.presets import PRESETS
from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.columns import COLUMN_GROUPS, Column, PageTable, columns_of
from cedar.transforms.model.records import RejectRow, RevisitRow, SignatureRow

DOCS = Path(__file__).parent
COLUMNS = "| column | type | meaning |\n|---|---|---|"
SIGNS = {"<=": "≤", ">=": "≥", "==": "="}


def columns(found: Iterable[Column]) -> str:
    """The table of some columns."""
    rows = [COLUMNS]
    for c in found:
        kind = {"timestamp": "timestamp, µs, UTC"}.get(c.kind, c.kind) + ", nullable" * c.nullable
        rows.append(f"| `{c.name}` | {kind} | {c.doc} |")
    return "\n".join(rows)


def table(name: str) -> str:
    """A table by its name: of columns, of reasons, or of a preset's bounds."""
    always = PageTable.of().columns
    if name in PRESETS:
        bounds = (
            f"| `{bound.signal}` | {SIGNS[bound.operator]} {str(bound.limit).lower().removesuffix('.0')} |"
            for bound in PRESETS[name]
        )
        return "\n".join([f"| `{name}` | |", "|---|---|", *bounds])
    if name == "reasons":
        rows = (f"| `{reason.value}` | {reason.meaning} |" for reason in RejectReason)
        return "\n".join(["| reason | meaning |", "|---|---|", *rows])
    tables = {
        "pages": PageTable.of(("html", "confidence")).columns,
        "rejects": columns_of(RejectRow),
        "revisits": columns_of(RevisitRow),
        "originals": columns_of(OriginalRow),
        "signatures": columns_of(SignatureRow),
        "duplicates": DUPLICATE_COLUMNS,
        "lines": LINE_COLUMNS,
        "metadata": tuple(c for c in PageTable.of(("metadata",)).columns if c not in always),
        **{f"group {group.name}": group.columns for group in COLUMN_GROUPS},
    }
    return columns(tables[name])


def filled(text: str) -> str:
    """The text of a page with its tables made again."""
    return re.sub(
        r"<!-- table ([\w -]+) -->\n.*?<!-- /table -->",
        lambda found: f"<!-- table {found[1]} -->\n{table(found[1])}\n<!-- /table -->",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    for page in sorted(DOCS.glob("*.md")):
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
