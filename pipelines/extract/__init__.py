"""`cedar extract`: crawls to a corpus, as a batch, as files arrive, or on a runner elsewhere."""
