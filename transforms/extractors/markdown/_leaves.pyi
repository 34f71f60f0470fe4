"""See `_leaves.pyx`; what it has is called by compiled code alone."""
