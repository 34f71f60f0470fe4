"""Beam on the command line: the runners, the arguments handed on to Beam, Flink."""
