#!/usr/bin/env bash
# Launch a job from the flex template; more parameters as NAME=VALUE.
#     deploy/dataflow/launch.sh PROJECT REGION REPOSITORY gs://BUCKET/templates/cedar.json INPUTS OUTPUT [NAME=VALUE]...
# When the job is done: cedar check OUTPUT --repair
set -euo pipefail
if [ $# -lt 6 ]; then
    sed -n '2,4s/^# *//p' "$0" >&2
    exit 2
fi
project=$1 region=$2 repository=$3 template=$4 inputs=$5 output=$6
shift 6
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
# ^;^ lets values hold commas.
parameters="^;^inputs=$inputs;output=$output"
for parameter in "$@"; do
    parameters="$parameters;$parameter"
done
gcloud dataflow flex-template run "cedar-$(date -u +%Y%m%d-%H%M%S)" \
    --project "$project" --region "$region" --template-file-gcs-location "$template" \
    --parameters "$parameters" \
    --parameters "sdk_container_image=$region-docker.pkg.dev/$project/$repository/cedar-template:$version" \
    --additional-experiments use_runner_v2
