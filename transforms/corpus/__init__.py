"""What a corpus is: its shards and their commit, its books, the rows that go in and come out."""
