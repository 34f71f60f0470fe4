#!/usr/bin/env bash
# End what up.sh started: the processes whose ids it noted, and no others.
set -euo pipefail
state=${SPARK_DIR:-.spark}
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
