"""Columns of what surrounds a block, for `_features` alone: what can be called is in the `.pxd`."""
