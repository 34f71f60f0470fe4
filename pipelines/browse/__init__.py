"""`cedar browse`: a corpus as a website."""
