"""Compare what the extractors make of the pages with the record, or make the record anew.

python -m tests.digest              say what differs
python -m tests.digest --record     make the record anew, and say what differs from the one before
"""

from __future__ import annotations

import argparse
import json
import sys

from cedar.transforms.extractors import names

from . import digests


def main() -> int:
    """The command; see the head of this file."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.digest", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="python -m tests.digest --record.json anew: only where a change is meant",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="extractors to compare; all unless given")
    options = parser.parse_args()
    complaints = []
    if digests.RECORD.exists():
        before = digests.read_record()
        for name in options.names or names():
            complaints += digests.differences(before, name, digests.of_extractor(name))
    print("\n".join(complaints) or "nothing differs")
    if options.record:
        digests.RECORD.write_text(
            json.dumps(digests.recorded(), indent=0, ensure_ascii=False) + "\n", "utf-8"
        )
        return 0
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
