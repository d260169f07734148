#!/bin/sh
# Judges the problems of a workspace in CI, and writes reports.
#
# usage: judge-ci.sh [WHAT]...
#
# WHAT are arguments of `judge`: problems, paths, globs; without any, everything below the current directory. The exit code
# is that of `judge`: 0 as expected, 1 an expectation violated, 3 a package at fault, 4 a host at fault; 2 also if no
# program is available. The reports are always written.
#
#   JUDGE            the program, if it is not `judge` on the PATH
#   JUDGE_URL        a URL to download it from if it is missing
#   JUDGE_VERSION    the version of `problem-judge` on PyPI to install if it is missing, without JUDGE_URL; with pip or uv
#   JUDGE_SHA256     the checksum of the program at JUDGE_URL (required there), or of the wheel
#   JUDGE_SOURCE     the sources to build it from, with cargo, if it is missing and unavailable in any other way
#   JUDGE_HOME       the directory for a downloaded or built program; default: $HOME/.local/share/judge
#   JUDGE_COMMAND    `verify`, the default, or `check` or `run`; or `list`, which prints problems and submissions as JSON
#   JUDGE_ARGUMENTS  further arguments, separated by spaces; default: --strict with `verify` and `check`
#   JUDGE_REPORTS    further reports as KIND=FILE, separated by spaces; FILE must not contain spaces
#   JUDGE_STREAM     the file for the event stream; default: judge-run.jsonl
#   JUDGE_SUDO       1: as root, by sudo without a password, for the strongest isolation
set -eu

fail() {
  printf 'judge-ci: %s\n' "$1" >&2
  exit 2
}

has() {
  command -v "$1" >/dev/null 2>&1
}

fetch() { # fetch URL FILE
  if has curl; then
    curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
  elif has wget; then
    wget --quiet --tries=3 --output-document="$2" "$1"
  else
    fail "cannot fetch $1: neither curl nor wget is installed"
  fi
}

# Downloads the program, and keeps it only if its checksum matches.
fetch_judge() {
  [ -n "${JUDGE_SHA256-}" ] || fail "JUDGE_URL needs JUDGE_SHA256, the checksum of the program"
  mkdir -p "$home/bin"
  fetch "$JUDGE_URL" "$home/bin/judge.part" || fail "cannot fetch $JUDGE_URL"
  found=$(sha256sum "$home/bin/judge.part")
  if [ "${found%% *}" != "$JUDGE_SHA256" ]; then
    rm -f "$home/bin/judge.part"
    fail "expected $JUDGE_URL to have the SHA-256 $JUDGE_SHA256, found ${found%% *}"
  fi
  chmod +x "$home/bin/judge.part"
  mv "$home/bin/judge.part" "$home/bin/judge"
}

# Installs the program from PyPI; the installer refuses a wheel with another checksum.
install_judge() {
  mkdir -p "$home"
  requirements=$home/requirements.txt
  printf 'problem-judge==%s%s\n' "$JUDGE_VERSION" "${JUDGE_SHA256:+ --hash=sha256:$JUDGE_SHA256}" >"$requirements"
  if has python3 && python3 -m pip --version >/dev/null 2>&1; then
    python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --upgrade --target "$home" \
      --requirement "$requirements"
  elif has uv; then
    uv pip install --quiet --no-deps --only-binary :all: --target "$home" --requirement "$requirements"
  else
    printf 'judge-ci: cannot install problem-judge %s: neither pip nor uv is installed\n' "$JUDGE_VERSION" >&2
    return 1
  fi
}

build_judge() {
  has cargo || fail "cannot build $JUDGE_SOURCE: cargo is not installed"
  cargo install --quiet --locked --path "$JUDGE_SOURCE/judge" --root "$home" || fail "cannot build $JUDGE_SOURCE"
}

home=${JUDGE_HOME-${HOME:?}/.local/share/judge}
if [ -n "${JUDGE-}" ]; then
  judge=$JUDGE
  has "$judge" || fail "JUDGE is not a program: $JUDGE"
elif has judge; then
  judge=judge
elif [ -x "$home/bin/judge" ]; then
  judge=$home/bin/judge
else
  if [ -n "${JUDGE_URL-}" ]; then
    fetch_judge
  elif [ -n "${JUDGE_VERSION-}" ]; then
    if ! install_judge; then
      [ -n "${JUDGE_SOURCE-}" ] || fail "cannot install problem-judge $JUDGE_VERSION"
      printf 'judge-ci: cannot install problem-judge %s; building %s instead\n' "$JUDGE_VERSION" "$JUDGE_SOURCE" >&2
      build_judge
    fi
  elif [ -n "${JUDGE_SOURCE-}" ]; then
    build_judge
  else
    fail "no judge on the PATH; set JUDGE, JUDGE_URL, JUDGE_VERSION or JUDGE_SOURCE"
  fi
  judge=$home/bin/judge
fi
# sudo has a different PATH.
judge=$(command -v "$judge")
"$judge" --version >&2

command=${JUDGE_COMMAND-verify}
case $command in
list) exec "$judge" list --report json -- "$@" ;;
verify | check) default=--strict ;;
run) default= ;;
*) fail "expected JUDGE_COMMAND to be verify, check, run or list, found $command" ;;
esac
arguments=${JUDGE_ARGUMENTS-$default}

# Words are separated by spaces, without globs; WHAT may contain any characters.
set -f
options=
for report in ${JUDGE_REPORTS-}; do
  options="$options --report $report"
done
# shellcheck disable=SC2086 # word splitting is intended
set -- "$command" --report ci "--report=json=${JUDGE_STREAM-judge-run.jsonl}" $options $arguments -- "$@"
if [ "${JUDGE_SUDO-}" = 1 ] && [ "$(id -u)" != 0 ]; then
  # The environment identifies the CI and its toolchains.
  exec sudo --non-interactive --preserve-env env "PATH=$PATH" "$judge" "$@"
fi
exec "$judge" "$@"
