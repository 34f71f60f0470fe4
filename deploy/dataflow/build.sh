#!/usr/bin/env bash
# Build the image, push it, and write the flex template.
#     deploy/dataflow/build.sh PROJECT REGION REPOSITORY gs://BUCKET/templates/cedar.json
set -euo pipefail
if [ $# -ne 4 ]; then
    sed -n '2,3s/^# *//p' "$0" >&2
    exit 2
fi
project=$1 region=$2 repository=$3 template=$4
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
image="$region-docker.pkg.dev/$project/$repository/cedar-template:$version"
docker build --file deploy/Dockerfile --target template --build-arg VERSION="$version" --tag "$image" .
docker push "$image"
# The parameters of the template are the options of `cedar extract`: Cedar has to be installed here.
python=.venv/bin/python
[ -x "$python" ] || python=python3
mkdir -p build
"$python" deploy/dataflow/parameters.py >build/metadata.json
gcloud dataflow flex-template build "$template" --project "$project" \
    --image "$image" --sdk-language PYTHON \
    --metadata-file build/metadata.json
