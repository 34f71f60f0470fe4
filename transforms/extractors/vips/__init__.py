"""VIPS: a page cut into blocks by its looks."""
