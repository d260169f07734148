#!/bin/sh
# Checks the problem packages that these files belong to, without running anything of them.
#
# usage: judge-check-changed.sh FILE...
#
# Files of no package are passed over. JUDGE is the program, when it is not `judge` on the PATH; JUDGE_ARGUMENTS are
# further arguments of `judge check`, separated by blanks.
set -eu

judge=${JUDGE-judge}
if ! command -v "$judge" >/dev/null 2>&1; then
  echo "judge-check-changed: there is no program $judge; put it on the PATH, or name it in JUDGE" >&2
  exit 2
fi

# The package that a file lies in: the outermost directory above it with a problem.yaml.
package_of() {
  found=
  directory=$(dirname -- "$1")
  while :; do
    [ -f "$directory/problem.yaml" ] && found=$directory
    case $directory in
    . | /) break ;;
    *) directory=$(dirname -- "$directory") ;;
    esac
  done
  printf '%s' "$found"
}

for file do
  shift
  package=$(package_of "$file")
  [ -n "$package" ] || continue
  known=
  for other do
    [ "$other" = "$package" ] && known=1 && break
  done
  # What is left of the arguments are packages, once all files have been looked at.
  [ -n "$known" ] || set -- "$@" "$package"
done
[ $# -gt 0 ] || exit 0
# shellcheck disable=SC2086 # words are meant
exec "$judge" check --static ${JUDGE_ARGUMENTS-} -- "$@"
