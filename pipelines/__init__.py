"""What a person runs: the `cedar` command and its graphs."""
