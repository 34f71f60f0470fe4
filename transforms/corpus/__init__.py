"""A corpus on disk or in a store, from the rows of one shard to the commit that makes them count.

- `layout`: the kinds of files, their names, what `corpus.json` says; `errors`: what can be wrong.
- `identity`: the options that runs into one corpus share; `outputs`: where none may be, and its lock.
- `formats`: Parquet, Avro and JSON lines; `shard_writer`: the rows of a shard, from elements to its commit.
- `commit`: the protocol by which one attempt at a shard wins; `ledger`: all commits, in memory.
- `unread`: inputs and shards that are still to be read.
- `settle`: the end of a run, `run.json` and `runs/`; `cleanup`: deletion; `card`: `README.md`.
- `reading`: the rows again, as the commits say; `export`: data sets of them; `shuffle`: their order.
- `captures`: what became of those of an index; `revisits`: the captures they refer to; `cdxj`: an index.
"""
