"""`python -m pipelines.train`."""

import sys

from pipelines.train.command import main

sys.exit(main())
