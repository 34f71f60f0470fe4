#!/usr/bin/env bash
# `cedar extract` on the Spark that up.sh started; the arguments are those of `cedar extract`.
#     deploy/cluster.sh spark submit crawl/ --output corpus/
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-$here/../../.venv/bin/python}
[ -x "$python" ] || python=python3
exec "$python" -m cedar extract "$@" --runner SparkRunner \
    --spark_master_url "spark://localhost:${SPARK_PORT:-7077}" --spark_version 3 \
    --spark_job_server_jar "$here/target/job-server.jar" \
    --environment_type EXTERNAL --environment_config "localhost:${POOL_PORT:-50000}"
