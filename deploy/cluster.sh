#!/usr/bin/env bash
# A cluster of processes on this machine, without Docker:
#     deploy/cluster.sh flink|spark up [WORKERS]
#     deploy/cluster.sh flink|spark submit crawl/ --output corpus/     (the arguments of `cedar extract`)
#     deploy/cluster.sh flink|spark down
# Needs Java 17; the first `up` builds the job server, for which it needs Maven. The variables of the environment
# that set ports and folders stand in flink/up.sh and spark/up.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
engine=${1:-} word=${2:-}
case "$engine $word" in
flink\ up | spark\ up)
    [ -f "$here/$engine/target/job-server.jar" ] || mvn -q -B -f "$here/$engine/pom.xml" package
    exec "$here/$engine/up.sh" "${@:3}"
    ;;
flink\ submit | spark\ submit) exec "$here/$engine/submit.sh" "${@:3}" ;;
flink\ down) state=${FLINK_DIR:-.flink} ;;
spark\ down) state=${SPARK_DIR:-.spark} ;;
*)
    sed -n '2,5s/^# *//p' "$0" >&2
    exit 2
    ;;
esac
# End the processes whose ids `up` noted, and no others.
for file in "$state"/*.pid; do
    [ -f "$file" ] || continue
    kill "$(cat "$file")" 2>/dev/null || true
done
for file in "$state"/*.pid; do
    [ -f "$file" ] || continue
    for _ in $(seq 50); do
        kill -0 "$(cat "$file")" 2>/dev/null || break
        sleep 0.2
    done
    kill -9 "$(cat "$file")" 2>/dev/null || true
    rm "$file"
done
