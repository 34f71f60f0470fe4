#!/usr/bin/env bash
# Start Spark on this machine: a master, workers, and for each of them a pool that starts its Python workers.
#     deploy/cluster.sh spark up [WORKERS]      (default: 2)
# Environment: SPARK_DIR  logs, process ids and the workers' files (default: .spark)
#              SPARK_PORT port of the master (default: 7077)
#              SPARK_WEB_PORT port of its web pages (default: 8082)
#              POOL_PORT  port of the pool of Python workers (default: 50000)
#              PYTHON     with Cedar installed (default: that of .venv, else python3)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
state=${SPARK_DIR:-.spark}
port=${SPARK_PORT:-7077}
web=${SPARK_WEB_PORT:-8082}
python=${PYTHON:-$here/../../.venv/bin/python}
[ -x "$python" ] || python=python3
[ -f "$here/target/job-server.jar" ] || { echo "no $here/target/job-server.jar: run 'mvn -q -f deploy/spark/pom.xml package' first" >&2; exit 1; }
mkdir -p "$state"
state=$(cd "$state" && pwd)
if compgen -G "$state/*.pid" >/dev/null; then
    echo "$state holds process ids: is a cluster running? (deploy/cluster.sh spark down ends it)" >&2
    exit 1
fi

start() { # NAME COMMAND...: in the background, with log and process id
    local name=$1
    shift
    "$@" >"$state/$name.log" 2>&1 </dev/null &
    echo $! >"$state/$name.pid"
}

# Executors take their jars from here.
export SPARK_HOME=$here/target SPARK_SCALA_VERSION=2.12 SPARK_LOCAL_HOSTNAME=localhost
opens=(--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED
    --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED)
start master java -Xmx512m "${opens[@]}" -cp "$here/target/jars/*" org.apache.spark.deploy.master.Master \
    --host localhost --port "$port" --webui-port "$web"
number=${1:-2}
for each in $(seq "$number"); do
    start "worker-$each" java -Xmx256m "${opens[@]}" -cp "$here/target/jars/*" org.apache.spark.deploy.worker.Worker \
        --cores "${CORES:-1}" --memory 1g --work-dir "$state/worker-$each" --webui-port 0 "spark://localhost:$port"
done
# The pool starts `python`: the first one of the path.
PATH="$(cd "$(dirname "$(command -v "$python")")" && pwd):$PATH" start pool \
    "$python" "$here/pool.py" "${POOL_PORT:-50000}"

for _ in $(seq 120); do
    for file in "$state"/*.pid; do
        kill -0 "$(cat "$file")" 2>/dev/null || { echo "${file%.pid} ended: see its .log" >&2; exit 1; }
    done
    if "$python" - "$web" "$number" <<'P' 2>/dev/null; then
import json, sys, urllib.request
state = json.load(urllib.request.urlopen(f"http://localhost:{sys.argv[1]}/json/", timeout=2))
sys.exit(state["aliveworkers"] < int(sys.argv[2]))
P
        echo "Spark is up: http://localhost:$web, $number workers, logs in $state"
        exit 0
    fi
    sleep 0.5
done
echo "Spark did not come up: see $state/*.log" >&2
exit 1
