# The words people try. `make demo` and `make test` set up what they need.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test lint fuzz lock clean flink test-flink test-flink-cluster

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

# Flink and Beam's job server in one jar, from Maven's packages: 155 MB, a minute. Needs Java 17 and mvn.
JOB_SERVER = deploy/flink/target/job-server.jar
flink: $(JOB_SERVER) $(VENV)/installed

$(JOB_SERVER): deploy/flink/pom.xml
	mvn --quiet --batch-mode --file deploy/flink/pom.xml package
	mvn --quiet --batch-mode dependency:copy -DoutputDirectory=deploy/flink/target \
	    -Dartifact=org.apache.flink:flink-kubernetes-operator-api:1.10.0
	touch $@

# The manifests against the operator's schema; the job on Flink inside the job server, against the local runner: two minutes.
test-flink: $(VENV)/installed
	@if command -v java >/dev/null && command -v mvn >/dev/null && $(MAKE) --no-print-directory $(JOB_SERVER); \
	then $(BIN)/python -m pytest tests/engines/flink_manifests.py tests/engines/flink_embedded.py; \
	else echo "test-flink: skipped, because Java, Maven or the packages of the job server cannot be had here"; fi

# A cluster of processes on this machine, of which one after the other is killed: a quarter of an hour.
test-flink-cluster: flink
	$(BIN)/python -m pytest tests/engines/flink_cluster.py

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
	rm -rf $(VENV) demo build dist .flink deploy/flink/target .mypy_cache .pytest_cache .ruff_cache
