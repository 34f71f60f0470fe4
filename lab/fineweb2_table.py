"""Write transforms/curation/fineweb2.tsv: `python -m lab.fineweb2_table CONFIGS`, FineWeb-2's."""

from __future__ import annotations

import sys
from pathlib import Path

from cedar.transforms.curation import fineweb2

HEAD = """\
# Bounds and stop words of FineWeb-2 by language and script: huggingface/fineweb-2, configs/, 2025-10-27.
# Apache License 2.0, http://www.apache.org/licenses/LICENSE-2.0; made compact by tests/curation.
"""


def main(folder: Path) -> None:
    """Write it."""
    lines = [
        "\t".join(
            (key, *(" ".join(f"{number:g}" for number in part) for part in row[:2]), " ".join(row.words))
        )
        for key, row in sorted(fineweb2.read_rows(folder).items())
    ]
    path = Path(fineweb2.__file__).with_suffix(".tsv")
    path.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
