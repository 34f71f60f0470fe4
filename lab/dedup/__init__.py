"""Duplicates: cost and recall, next to other packages."""
