"""From crawl bytes to clean text: Beam transforms above, pure modules below."""
