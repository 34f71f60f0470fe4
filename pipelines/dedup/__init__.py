"""`cedar dedup`: duplicates among the pages of corpora, and against earlier results."""
