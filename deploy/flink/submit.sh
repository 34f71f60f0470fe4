#!/usr/bin/env bash
# `cedar extract` on the Flink that up.sh started; the arguments are those of `cedar extract`.
#     deploy/cluster.sh flink submit crawl/ --output corpus/
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-$here/../../.venv/bin/python}
[ -x "$python" ] || python=python3
exec "$python" -m cedar extract "$@" --runner FlinkRunner \
    --flink_master "localhost:${FLINK_PORT:-8081}" --flink_version 1.19 \
    --flink_job_server_jar "$here/target/job-server.jar" \
    --environment_type EXTERNAL --environment_config "localhost:${POOL_PORT:-50000}" \
    --beam_services "{\"sdks:java:io:expansion-service:shadowJar\": \"localhost:${EXPANSION_PORT:-8097}\"}" \
    --parallelism "${PARALLELISM:-2}"
