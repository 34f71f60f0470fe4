"""Rules that divide the nodes of a page; for compiled code alone."""
