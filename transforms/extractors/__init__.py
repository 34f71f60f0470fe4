"""Main-content extraction: one module per method, named as the paper names it."""
