#!/usr/bin/env bash
# Start Flink on this machine: a job manager, task managers, and a pool that starts their Python workers.
#     deploy/cluster.sh flink up [TASK_MANAGERS]      (default: 2)
# Environment: FLINK_DIR  logs and process ids (default: .flink)
#              FLINK_PORT port of the REST interface and the web pages (default: 8081)
#              POOL_PORT  port of the workers' pool (default: 50000)
#              EXPANSION_PORT port of the expansion service, for --queue kafka:// (default: 8097)
#              PYTHON     with Cedar installed (default: that of .venv, else python3)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
state=${FLINK_DIR:-.flink}
port=${FLINK_PORT:-8081}
pool=${POOL_PORT:-50000}
python=${PYTHON:-$here/../../.venv/bin/python}
[ -x "$python" ] || python=python3
jar=$here/target/job-server.jar
[ -f "$jar" ] || { echo "no $jar: run 'mvn -q -f deploy/flink/pom.xml package' first" >&2; exit 1; }
mkdir -p "$state"
if compgen -G "$state/*.pid" >/dev/null; then
    echo "$state holds process ids: is a cluster running? (deploy/cluster.sh flink down ends it)" >&2
    exit 1
fi

# What Flink on Java 17 asks for.
opens=()
for package in java.lang java.net java.io java.nio java.lang.reflect java.text java.time java.util \
    java.util.concurrent java.util.concurrent.atomic java.util.concurrent.locks; do
    opens+=("--add-opens=java.base/$package=ALL-UNNAMED")
done
opens+=("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED" "--add-exports=java.base/sun.net.util=ALL-UNNAMED")

start() { # NAME COMMAND...: in the background, with log and process id
    local name=$1
    shift
    "$@" >"$state/$name.log" 2>&1 </dev/null &
    echo $! >"$state/$name.pid"
}

rpc=${FLINK_RPC_PORT:-$((port + 1000))}
settings=(--configDir "$here/conf" -D "rest.port=$port" -D "jobmanager.rpc.port=$rpc"
    -D "state.checkpoints.dir=file://$(cd "$state" && pwd)/checkpoints")
start jobmanager java -Xmx512m "${opens[@]}" -cp "$jar" \
    org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint "${settings[@]}"
number=${1:-2}
for each in $(seq "$number"); do
    start "taskmanager-$each" java -Xmx384m -XX:MaxDirectMemorySize=256m "${opens[@]}" -cp "$jar" \
        org.apache.flink.runtime.taskexecutor.TaskManagerRunner "${settings[@]}" \
        -D "taskmanager.resource-id=taskmanager-$each"
done
start expansion java -Xmx128m -cp "$jar" org.apache.beam.sdk.expansion.service.ExpansionService \
    "${EXPANSION_PORT:-8097}" --defaultEnvironmentType=EMBEDDED --experiments=use_deprecated_read
# The pool starts `python`: the first one of the path.
PATH="$(cd "$(dirname "$(command -v "$python")")" && pwd):$PATH" start pool \
    "$python" -m apache_beam.runners.worker.worker_pool_main --service_port "$pool"

for _ in $(seq 120); do
    for file in "$state"/*.pid; do
        kill -0 "$(cat "$file")" 2>/dev/null || { echo "${file%.pid} ended: see its .log" >&2; exit 1; }
    done
    if "$python" - "$port" "$number" <<'P' 2>/dev/null; then
import json, sys, urllib.request
overview = json.load(urllib.request.urlopen(f"http://localhost:{sys.argv[1]}/overview", timeout=2))
sys.exit(overview["taskmanagers"] < int(sys.argv[2]))
P
        echo "Flink is up: http://localhost:$port, $number task managers, logs in $state"
        exit 0
    fi
    sleep 0.5
done
echo "Flink did not come up: see $state/*.log" >&2
exit 1
