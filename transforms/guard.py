"""The page guard's program, which the guard starts: `python -P -m cedar.transforms.guard`."""

import sys

from cedar.transforms.runtime.guard_server import main

if __name__ == "__main__":
    main(sys.argv[1:])
