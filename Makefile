# The words people try. `make demo` and `make test` set up what they need.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test test-browser lint fuzz lock clean

demo: $(VENV)/installed
	rm -rf demo
	$(BIN)/python -m pipelines.sample demo/sample.warc.gz
	$(BIN)/cedar extract demo/sample.warc.gz --output demo/corpus
	$(BIN)/python docs/read_corpus.py demo/corpus

test: $(VENV)/installed
	$(BIN)/python -m pytest -n auto

# The pages of `explain` and `report` in a real browser; Debian: apt-get install chromium chromium-driver.
BROWSER_VENV ?= .venv-browser
test-browser:
	$(PYTHON) -m venv $(BROWSER_VENV)
	$(BROWSER_VENV)/bin/python -m pip install --quiet --editable '.[browser]'
	$(BROWSER_VENV)/bin/python -m pytest -o addopts="-q --strict-markers --strict-config" tests/browser

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# A million records in damaged archives: some ten minutes. SEED=n repeats a run.
SEED ?= 1
fuzz: $(VENV)/installed
	$(BIN)/python tests/fuzz/fuzz_warc.py --records 1000000 --seed $(SEED)

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
	rm -rf $(VENV) $(BROWSER_VENV) demo build dist .mypy_cache .pytest_cache .ruff_cache
