#!/usr/bin/env bash
# Run a job that `cedar extract --output_executable_path job.jar` wrote, by spark-submit of a Spark 3.5 (YARN, EMR,
# Kubernetes). What that Spark lacks of Beam's jars goes along. More arguments are those of spark-submit:
#     SPARK_HOME=/usr/lib/spark deploy/spark/run_jar.sh job.jar --master yarn --deploy-mode client
# Before: mvn -q -f deploy/spark/pom.xml package. Afterwards: cedar check OUTPUT --repair.
set -euo pipefail
if [ $# -eq 0 ] || [ -z "${SPARK_HOME:-}" ]; then
    sed -n '2,5s/^# *//p' "$0" >&2
    exit 2
fi
job=$1
shift
lacking=() first=() names=()
for jar in "$(cd "$(dirname "$0")" && pwd)"/target/jars/*.jar; do
    name=${jar##*/}
    case $name in
        # Spark's own guava is too old for Beam: the newer one comes first.
        guava-* | failureaccess-*) first+=("$jar") names+=("$name") lacking+=("$jar") ;;
        *) compgen -G "$SPARK_HOME/jars/${name%%-[0-9]*}-[0-9]*" >/dev/null || lacking+=("$jar") ;;
    esac
done
join() { local IFS=$1; shift; echo "$*"; }
# An executor finds the files that go along in its own folder.
exec "$SPARK_HOME/bin/spark-submit" \
    --conf "spark.driver.extraClassPath=$(join : "${first[@]}")" \
    --conf "spark.executor.extraClassPath=$(join : "${first[@]}" "${names[@]}")" \
    --jars "$(join , "${lacking[@]}")" "$@" "$job"
