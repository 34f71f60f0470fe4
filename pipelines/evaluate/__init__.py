"""`cedar evaluate`: gold pages in, scores out."""
