set -e
if [ -e "$here/input.header" ]; then cat "$here/input.header"; fi
START "$@"
if [ -e "$here/input.footer" ]; then cat "$here/input.footer"; fi
