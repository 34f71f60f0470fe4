"""`python -m cedar` is `cedar`."""

import sys

from cedar.pipelines.cli import main

if __name__ == "__main__":
    sys.exit(main())
