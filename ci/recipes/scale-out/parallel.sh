#!/bin/sh
# A run in shards by GNU parallel over ssh: `ci/recipes/scale-out/parallel.sh HOST,HOST… WORKSPACE SHARDS OUT`, all on a
# file system that every host has, with `judge` in the PATH of each. One shard at a time on each host. `:` is this host.
# Run it again to run what is missing again.
set -eu
hosts=$1 workspace=$(realpath "$2") shards=$3 out=$(realpath -m "$4")
mkdir -p "$out"
numbers=$(seq "$shards")
if ls "$out"/shard-* >/dev/null 2>&1; then
  numbers=$(judge missing "$out" | tr , '\n' | while IFS=- read -r from to; do seq "$from" "${to:-$from}"; done)
fi
if [ -n "$numbers" ]; then
  # Its exit code counts shards with violated expectations among the failures; `judge merge` decides. A shard that is
  # tried again goes on where it ended, or is told again when it is whole.
  # shellcheck disable=SC2086 # the numbers are words
  parallel -S "$hosts" -j1 --retries 3 --wd "$workspace" \
    "judge run --shard {}/$shards --events '$out' --cache \"\${TMPDIR:-/tmp}/judge-\$(id -u)\" -q" ::: $numbers || true
fi
exec judge merge "$out"
