"""Without compiled code there is nothing to hold to the numpy functions."""

from transforms.compiled import is_in_use

collect_ignore_glob = [] if is_in_use() else ["test_*.py"]
