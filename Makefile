# The words people try. `make demo` and `make test` set up what they need.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test lint fuzz train lock clean

demo: $(VENV)/installed
	rm -rf demo
	$(BIN)/python -m pipelines.sample demo/sample.warc.gz
	$(BIN)/cedar extract demo/sample.warc.gz --output demo/corpus
	$(BIN)/python docs/read_corpus.py demo/corpus

test: $(VENV)/installed
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# A million records in damaged archives: some ten minutes. SEED=n repeats a run.
SEED ?= 1
fuzz: $(VENV)/installed
	$(BIN)/python tests/fuzz/fuzz_warc.py --records 1000000 --seed $(SEED)

# Learn the table of the cedar extractor again; GOLD is a directory with the files named in docs/cedar.md.
train: $(VENV)/installed
	$(BIN)/python -m pipelines.train --gold $(GOLD)/wcxb_train.jsonl.zst \
	    --gold $(GOLD)/news424_train.jsonl.zst:1:apart --gold $(GOLD)/chinese_handmade.jsonl.zst:1.5 \
	    --output transforms/extractors/cedar_table.json

# From the lock, with hashes: the same packages on every machine.
$(VENV)/installed: pyproject.toml deploy/requirements-dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r deploy/requirements-dev.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

# Renew the locks after a change of dependencies.
lock:
	deploy/lock.sh

clean:
	rm -rf $(VENV) demo build dist .mypy_cache .pytest_cache .ruff_cache
