"""`python -m pipelines.sample`."""

import sys

from pipelines.sample.command import main

sys.exit(main())
