"""A corpus on disk or in a store, from the rows of one shard to the commit that makes them count.

- `layout`: the kinds of files, their names, what `corpus.json` says; `errors`: what can be wrong.
- `identity`: the options that runs into one corpus share; `outputs`: where none may be, and its lock.
- `formats`: Parquet, Avro and JSON lines; `shard_writer`: the rows of a shard, from elements to its commit.
- `corpus`: where its parts are; `commit`: the protocol by which one attempt at a shard wins; `ledger`: all
  commits, in memory.
- `unread`: inputs and shards that are still to be read.
- `settle`: the end of a run, `run.json` and `runs/`; `cleanup`: deletion; `card`: `README.md`.
- `corpus_reader`: the rows again, as the commits say; `captures` and `revisits`: what became of the records
  that an index, or a revisit, names.
- `export`: data sets of the rows, in an order of `shuffle`; `cdxj_writer`: an index of the pages.
"""
