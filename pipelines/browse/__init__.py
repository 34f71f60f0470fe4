"""`cedar browse`: a corpus that one can walk through, as a site of files."""
