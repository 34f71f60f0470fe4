"""`cedar crawls`: the crawls that Common Crawl has published."""
