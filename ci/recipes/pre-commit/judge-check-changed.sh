#!/bin/sh
# Checks the problem packages that a commit changes, without running anything of them.
#
# usage: judge-check-changed.sh [FILE...]
#
# When all of the files are about to be committed (or pushed), which is how pre-commit starts this, every package is
# checked that the commit (or the push) concerns: also where a file is removed, where only solutions change, or
# judge.yaml. Otherwise somebody named the files, and the packages that they lie in are checked; files of no package are
# passed over. JUDGE is the program, when it is not `judge` on the PATH; JUDGE_ARGUMENTS are further arguments of
# `judge check`, separated by blanks.
set -eu

judge=${JUDGE-judge}
if ! command -v "$judge" >/dev/null 2>&1; then
  echo "judge-check-changed: there is no program $judge; put it on the PATH, or name it in JUDGE" >&2
  exit 2
fi

# How many of these files differ between HEAD, which need not be there yet, and what is to be committed.
staged() {
  git --literal-pathspecs diff --cached --name-only --no-renames --no-ext-diff -z "$@" | tr -dc '\000' | wc -c
}

# What is about to be committed or pushed, for --since; nothing when these files are not all of that.
range() {
  if [ -n "${PRE_COMMIT_FROM_REF-}" ] && [ -n "${PRE_COMMIT_TO_REF-}" ]; then
    printf '%s..%s' "$PRE_COMMIT_FROM_REF" "$PRE_COMMIT_TO_REF"
    return
  fi
  git rev-parse --git-dir >/dev/null 2>&1 || return 0
  [ "$(staged)" -gt 0 ] || return 0
  [ $# -eq 0 ] || [ "$(staged -- "$@")" -eq $# ] || return 0
  head=$(git rev-parse --quiet --verify HEAD || git hash-object -t tree /dev/null)
  # The files of the commit alone: what lies beside them, unknown to Git, is nobody's business.
  printf '%s..%s' "$head" "$(git write-tree)"
}

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

range=$(range "$@")
if [ -n "$range" ]; then
  # shellcheck disable=SC2086 # words are meant
  exec "$judge" check --static ${JUDGE_ARGUMENTS-} --since "$range"
fi
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
