#!/usr/bin/env python3
"""What failed in the output of a step of CI, and why: a CI host may keep the end of its log only.

usage: ci/failures.py [LOG]    prints it for a file, or for standard input
       ci/failures.py --self-test

It knows how `cargo`, the test harness of Rust, this repository's own test programs and the scripts in `ci/` tell that
something failed. Of each failure it takes the line that names it and the few that say why. Where it finds none, it takes
the end of the output.
"""

import re
import sys

# The lines that name something that failed, and the most lines behind them that belong to it.
NAMED = [
    # The test harness: the name of a test and what it wrote.
    (re.compile(r"---- .+ stdout ----$"), 14),
    # A panic of a test program without that harness, and of a thread.
    (re.compile(r"thread '.*' (\(\d+\) )?panicked at "), 6),
    # `FAILED  full  case`, `test full::case ... FAILED`, `ci/recipes-check: FAILED: what`, `SOMETHING FAILED (why)`.
    (re.compile(r"\bFAILED\b"), 8),
    (re.compile(r"(fatal )?error(\[E\d+\])?: |Error: |\w+Error: |Traceback "), 8),
    (re.compile(r"ci/[\w/-]+: (failed|expected|cannot|error)"), 4),
]
# Sums of what is told elsewhere.
SUMS = re.compile(r"test result: FAILED|=== |error: test failed, to rerun|error: \d+ targets? failed")
# Lines that begin something else.
NEXT = re.compile(
    r"(ok|gap|again|SKIPPED|level|held)\b|test .* \.\.\. |test result|running \d+ test|\s+(Running|Compiling|Checking)\b"
    r"|failures:|\+ |=== |warning: ")
# What says nothing to who reads it.
NOISE = re.compile(r"\s*$|note: run with|stack backtrace:|\s+\d+: |\s+at /rustc/|\s+at \.?/")
MOST_LINES = 150
LONGEST_LINE = 600
END = 20


def told(lines):
    """The lines that name what failed and say why."""
    found, left, before = [], 0, set()
    for line in (line.rstrip()[:LONGEST_LINE] for line in lines):
        room = next((room for pattern, room in NAMED if pattern.match(line) or room == 8 and pattern.search(line)), None)
        if SUMS.match(line):
            left = 0
            continue
        if NOISE.match(line):
            continue
        if room is not None:
            # A name that is told again at the end of a list says nothing new.
            left = 0 if line in before else room
            if line not in before:
                found.append(line)
                before.add(line)
        elif left and not NEXT.match(line):
            found.append(line)
            left -= 1
        else:
            left = 0
    if not found:
        return [line.rstrip()[:LONGEST_LINE] for line in lines[-END:]]
    if len(found) > MOST_LINES:
        found[MOST_LINES:] = [f"… and {len(found) - MOST_LINES} more lines"]
    return found


SAMPLE = """\
     Running tests/hostile/main.rs (target/debug/deps/hostile)
level `full` as user 0
ok      full       sleeps                                 TLE  0.001 s CPU
FAILED  full       reads_pages_without_end                MLE  0.047 s CPU
    the canary was
x
ok      full       stack                                  RTE
level `full`: 198 held; 0 gaps; 1 failed (reads_pages_without_end)
test parses ... ok
test adds ... FAILED

failures:

---- adds stdout ----

thread 'adds' (7) panicked at src/lib.rs:9:5:
assertion failed: 1 == 2
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

failures:
    adds

test result: FAILED. 1 passed; 1 failed
error[E0308]: mismatched types
 --> src/lib.rs:1:1
ci/container-like: FAILED: the hostile suite as user 0
error: test failed, to rerun pass `-p judge --test hostile`

Caused by:
  process didn't exit successfully
"""
EXPECTED = """\
FAILED  full       reads_pages_without_end                MLE  0.047 s CPU
    the canary was
x
test adds ... FAILED
---- adds stdout ----
thread 'adds' (7) panicked at src/lib.rs:9:5:
assertion failed: 1 == 2
error[E0308]: mismatched types
 --> src/lib.rs:1:1
ci/container-like: FAILED: the hostile suite as user 0
"""


def self_test():
    found = told(SAMPLE.splitlines())
    expected = EXPECTED.splitlines()
    assert found == expected, "\n".join(["expected:", *expected, "found:", *found])
    assert told(["nothing", "known"]) == ["nothing", "known"]
    assert len(told([f"case {number} FAILED" for number in range(1000)])) == MOST_LINES + 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    with open(sys.argv[1] if len(sys.argv) > 1 else 0, encoding="utf-8", errors="replace") as log:
        print("\n".join(told(log.readlines())))


if __name__ == "__main__":
    main()
