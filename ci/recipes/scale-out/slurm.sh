#!/bin/sh
# A run in shards by Slurm: `ci/recipes/scale-out/slurm.sh WORKSPACE SHARDS OUT`, all on a file system that every node has.
# Each shard has a whole node, and runs one program on each physical core. Run it again to start missing shards.
set -eu
workspace=$(realpath "$1") shards=$2 out=$(realpath -m "$3")
mkdir -p "$out"
numbers=1-$shards
if ls "$out"/*.jsonl >/dev/null 2>&1; then numbers=$(judge report --missing "$out"); fi
if [ -n "$numbers" ]; then
  # The number of shards is written out: with --array=3,17 Slurm would report an array of two tasks.
  # The exit code of sbatch is the highest of all shards. `judge report` decides about the run.
  sbatch --wait --requeue --array="$numbers" --nodes=1 --exclusive --hint=nomultithread --chdir="$workspace" \
    --output="$out/log-%a" --open-mode=append \
    --wrap "exec judge run --shard \$SLURM_ARRAY_TASK_ID/$shards --report json='$out'/\$SLURM_ARRAY_TASK_ID.jsonl -q" ||
    echo "note: the highest exit code of a shard: $?" >&2
fi
exec judge report "$out"
