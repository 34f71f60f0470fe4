"""Common Crawl by name: the crawls there are, and the files of each."""
