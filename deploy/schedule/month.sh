#!/bin/bash
# One month of a crawl, as a data set: its corpus, its pages that no month before it has, and their export.
#
#   month.sh 2026-04 @warc.paths.gz /data [options of cedar extract] [dedup [options]] [export [options]]
#
#   month.sh 2026-04 cc:CC-NEWS-2026-04 /data --language --preset fineweb2 dedup --memory 8GiB \
#       export --columns id,text,url --format jsonl --shuffle 1
#
# Corpora go to /data/corpora/MONTH, results of cedar dedup to /data/unique/MONTH, data sets to /data/sets/MONTH. After
# a failed night the same command goes on where it stopped; for a month that has grown since the night before, what is
# new is extracted, and the steps after that are done again. Exit codes are those of cedar.
set -euo pipefail

if [[ $# -lt 3 ]]; then
    echo "usage: month.sh MONTH INPUT ROOT [options of cedar extract] [dedup [options]] [export [options]]" >&2
    exit 2
fi
month=$1 inputs=$2 root=$3
shift 3

extract=() dedup=() export=() against=() step=extract
for word in "$@"; do
    case $step:$word in
        extract:dedup | extract:export | dedup:export) step=$word ;;
        extract:*) extract+=("$word") ;;
        dedup:*) dedup+=("$word") ;;
        export:*) export+=("$word") ;;
    esac
done

cedar extract "$inputs" --output "$root/corpora/$month" --signatures --quiet "${extract[@]}"

# Names of months sort by time: those before this one, if they are finished.
for result in "$root"/unique/*/; do
    result=${result%/}
    if [[ -f $result/run.json && ${result##*/} < $month ]]; then
        against+=("$result")
    fi
done
if [[ ${#against[@]} -gt 0 ]]; then
    against=(--against "${against[@]}")
fi

unique=$root/unique/$month
cedar dedup "$root/corpora/$month" "${against[@]}" --output "$unique" --write --restart --quiet "${dedup[@]}"
exec cedar export "$unique/corpus" --output "$root/sets/$month" --overwrite --quiet "${export[@]}"
