# The words people try. Everything else: nox -l
PYTHON ?= python3
BIN := .venv/bin
T ?= tests
.DEFAULT_GOAL := help
.PHONY: help install demo test quick lint fix bench docs lock wheel clean

help:            ## this list; `nox -l` lists the rest
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:[^#]*## /\t/' | expand -t 10

install: .venv/installed  ## a development environment in .venv

demo: $(BIN)/cedar  ## a small crawl, its text, one page drawn
	@rm -rf demo
	@$(BIN)/cedar sample demo/sample.warc.gz --pages 200 > /dev/null
	@$(BIN)/cedar extract demo/sample.warc.gz --output demo/corpus --quiet
	@$(BIN)/cedar explain demo/sample.warc.gz --url https://sample.example/news/tide-mill \
	    --output demo/explain.html > /dev/null
	@$(BIN)/python docs/demo.py demo

test: install    ## all tests; T=tests/decode for a part of them
	$(BIN)/python -m pytest -n auto --dist worksteal $(T)

quick: install   ## the tests that start no process: a minute; T=tests/decode
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow and not needs" $(T)

lint: install    ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fix: install     ## let ruff repair what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: install   ## speed next to peers, half an hour: lab/README.md
	$(BIN)/python -m lab.benchmarks

docs: install    ## the documentation as a site, in build/site/
	$(BIN)/nox -s docs

lock:            ## renew the locks of dependencies in deploy/
	deploy/lock.sh

wheel: install   ## a wheel for this machine and Python, in dist/
	rm -rf dist
	$(CC_OF) $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

clean:           ## delete what make and nox have made
	rm -rf .venv* .nox demo build dist .flink .spark deploy/*/target .mypy_cache .pytest_cache .ruff_cache
	find transforms -name "*.so" -delete

# Where there is no C compiler, the one in the package ziglang.
ifeq ($(shell command -v $(CC)),)
ZIG = $(abspath $(BIN))/python -m ziglang cc
CC_OF = env CC="$(ZIG)" LDSHARED="$(ZIG) -shared"
ZIGLANG = $(BIN)/python -m pip install "ziglang>=0.13,<1" &&
endif

# uv where it is there: it takes a quarter of pip's time. Modules are byte-compiled when they are first imported.
UV := $(shell command -v uv)
VENV = test -e $(BIN)/python || $(if $(UV),$(UV) venv --quiet --seed --python $(PYTHON),$(PYTHON) -m venv) .venv
INSTALL = $(if $(UV),$(UV) pip install --python $(BIN)/python,$(BIN)/python -m pip install --no-compile)

LOG = build/install.log
$(BIN)/cedar:
	@mkdir -p build && $(VENV)
	@echo "Installing Cedar into .venv: 600 MB of packages and, the first time, three minutes of compiling ($(LOG))"
	@{ $(ZIGLANG) $(CC_OF) $(INSTALL) --editable '.[language]'; } > $(LOG) 2>&1 \
	    || { tail -20 $(LOG); exit 1; }

# From the lock, with hashes: the same packages on every machine.
.venv/installed: deploy/requirements-dev.txt pyproject.toml setup.py $(shell find transforms -name "*.p[yx][xd]")
	@$(VENV)
	$(ZIGLANG) $(INSTALL) --quiet --no-deps --require-hashes -r deploy/requirements-dev.txt
	$(CC_OF) $(INSTALL) --quiet --no-deps --no-build-isolation --editable .
	@touch $@
