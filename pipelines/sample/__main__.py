"""`python -m cedar.pipelines.sample`."""

import sys

from cedar.pipelines.sample.command import main

sys.exit(main())
