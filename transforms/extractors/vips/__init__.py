"""VIPS: a page cut into blocks by what is seen of it."""
