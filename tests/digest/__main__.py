"""Compare what the extractors make of the pages with the record, or make the record anew.

python -m tests.digest              say what differs
python -m tests.digest --record     make the record anew, and say what differs from the one before
"""

from __future__ import annotations

import argparse
import sys

from cedar import names

from . import digests


def main() -> int:
    """Run the command; see the head of this file."""
    parser = argparse.ArgumentParser(prog="python -m tests.digest")
    parser.add_argument(
        "--record", action="store_true", help="make the record anew: only if a change is meant"
    )
    options = parser.parse_args()
    record = digests.read_record()
    found = {name: digests.of_extractor(name) for name in names()}
    differs = False
    for name, of in found.items():
        if others := digests.other_pages(record, name, of):
            differs = True
            print(f"{name}: differs on {len(others)} pages, first on {others[0]!r}")
    if options.record:
        digests.write_record(found)
        return 0
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
