"""`cedar extractors`: the list of methods."""
