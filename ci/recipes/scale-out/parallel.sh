#!/bin/sh
# A run in shards by GNU parallel over ssh: `ci/recipes/scale-out/parallel.sh HOST,HOST… WORKSPACE SHARDS OUT`, all on a
# file system that every host has, with `judge` in the PATH of each. One shard at a time on each host. `:` is this host.
# Run it again to start missing shards.
set -eu
hosts=$1 workspace=$(realpath "$2") shards=$3 out=$(realpath -m "$4")
mkdir -p "$out"
numbers=$(seq "$shards")
if ls "$out"/*.jsonl >/dev/null 2>&1; then
  numbers=$(judge report --missing "$out" | tr , '\n' | while IFS=- read -r from to; do seq "$from" "${to:-$from}"; done)
fi
if [ -n "$numbers" ]; then
  # The exit code of parallel counts shards with violated expectations as failed jobs. `judge report` decides about the run.
  # shellcheck disable=SC2086 # the numbers are words
  parallel -S "$hosts" -j1 --retries 3 --wd "$workspace" "judge run --shard {}/$shards --report json='$out'/{}.jsonl -q" ::: $numbers ||
    echo "note: shards with an exit code other than 0: $?" >&2
fi
exec judge report "$out"
