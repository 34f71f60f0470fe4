"""Files of inputs and corpora: where they are kept, the shards they are read in, the commit."""
