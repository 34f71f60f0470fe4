"""WARC and ARC files into records: containers (`members`), headers (`records`), the reader (`reader`)."""
