#!/bin/sh
# A run in shards by HyperQueue: `ci/recipes/scale-out/hyperqueue.sh WORKSPACE SHARDS OUT`, with a server that runs
# (`hq server start --journal FILE`) and workers (`hq worker start`, `hq alloc add slurm …` or `hq worker deploy-ssh`).
# `--cpus all`: a shard has a node for itself. Run it again to run what is missing again.
set -eu
workspace=$(realpath "$1") shards=$2 out=$(realpath -m "$3")
mkdir -p "$out"
numbers=1-$shards
if ls "$out"/shard-* >/dev/null 2>&1; then numbers=$(judge missing "$out"); fi
if [ -n "$numbers" ]; then
  # It ends with 0 whatever became of the tasks; `judge merge` decides.
  hq submit --wait --array "$numbers" --cpus all --cwd "$workspace" --stdout none --stderr none -- \
    sh -c "exec judge run --shard \$HQ_TASK_ID/$shards --events '$out' --cache \"\${TMPDIR:-/tmp}/judge-\$(id -u)\" -q"
fi
exec judge merge "$out"
