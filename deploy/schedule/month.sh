#!/bin/sh
# One month of a crawl: its corpus, then its duplicates against every month before it.
#
#   month.sh 2026-04 @warc.paths.gz /data [more options of cedar extract]
#
# Corpora go to /data/corpora/MONTH, results to /data/unique/MONTH. After a failed night the same command goes on
# where it stopped; for a month that has grown since the night before, what is new is extracted, and the duplicates of
# that month are found again. Exit codes are those of cedar.
set -eu

month=$1 inputs=$2 root=$3
shift 3

cedar extract "$inputs" --output "$root/corpora/$month" --signatures --quiet "$@"

# Names of months sort by time: those before this one, if they are finished.
set --
for result in "$root"/unique/*/; do
    result=${result%/}
    if [ -f "$result/run.json" ] && expr "${result##*/}" \< "$month" > /dev/null; then
        set -- "$@" "$result"
    fi
done

if [ $# -gt 0 ]; then
    set -- --against "$@"
fi
exec cedar dedup "$root/corpora/$month" --output "$root/unique/$month" --restart --quiet "$@"
