#!/usr/bin/env bash
# Resolve the dependencies of pyproject.toml for Python 3.11 to 3.14 into locks with hashes.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf .venv-lock && python3 -m venv .venv-lock
.venv-lock/bin/pip install --quiet "uv>=0.5"
compile() {
    .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" "$@" pyproject.toml
}
compile --extra avro-zstandard --output-file deploy/requirements.txt
compile --extra avro-zstandard --extra language --output-file deploy/requirements-worker.txt
compile --extra avro-zstandard --extra gcp --extra language --output-file deploy/requirements-dataflow.txt
compile --group dev --extra language --output-file deploy/requirements-dev.txt
rm -rf .venv-lock
