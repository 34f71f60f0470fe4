"""What tests share: crawls, corpora, servers, runs."""
