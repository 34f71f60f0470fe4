"""What a person runs: the `cedar` command and the graphs behind it."""
