#!/usr/bin/env python3
"""Extracts failures and their causes from the output of a CI step, because a CI host may keep only the end of its log.

usage: ci/failures.py --self-test

`failures` returns the line that names each failure and a few lines after it. If it finds none, it returns the end of the output.
"""

import re

import project

# Lines that name a failure, and the maximum number of lines after them that belong to it.
NAMED = [
    (re.compile(r"^---- .+ stdout ----$"), 14),
    (re.compile(r"^thread '.*' (\(\d+\) )?panicked at "), 6),
    (re.compile(r"\bFAILED\b|(fatal )?error(\[E\d+\])?: |Error: |\w+Error: |Traceback "), 8),
    (re.compile(r"^ci/[\w/-]+: (failed|expected|cannot|error)"), 4),
]
SUMMARY = re.compile(r"test result: FAILED|=== |error: test failed, to rerun|error: \d+ targets? failed")
# Lines that begin another message.
NEXT = re.compile(r"(ok|gap|again|SKIPPED|level|held)\b|test .* \.\.\. |test result|running \d+ test|\s+(Running|Compiling|Checking)\b"
                  r"|failures:|\+ |=== |warning: ")
NOISE = re.compile(r"\s*$|note: run with|stack backtrace:|\s+\d+: |\s+at /rustc/|\s+at \.?/")
MAX_LINES, MAX_COLUMNS, END = 150, 600, 20


def failures(lines):
    """Returns the lines that name failures, each once, with those that say why."""
    lines = [line.rstrip()[:MAX_COLUMNS] for line in lines]
    found, remaining = [], 0
    for line in lines:
        if NOISE.match(line):
            continue
        lines_after = next((number for pattern, number in NAMED if pattern.search(line)), None)
        if SUMMARY.match(line):
            remaining = 0
        elif lines_after is not None:
            remaining = 0 if line in found else lines_after
            found += [] if line in found else [line]
        elif remaining and not NEXT.match(line):
            found.append(line)
            remaining -= 1
        else:
            remaining = 0
    if len(found) > MAX_LINES:
        found[MAX_LINES:] = [f"… and {len(found) - MAX_LINES} more lines"]
    return found or lines[-END:]


# Lines with `>` are those that must be found.
SAMPLE = """\
      Running tests/hostile/main.rs (target/debug/deps/hostile)
 ok      full       sleeps                                 TLE  0.001 s CPU
>FAILED  full       reads_pages_without_end                MLE  0.047 s CPU
>    the canary was
 ok      full       stack                                  RTE
 level `full`: 198 held; 0 gaps; 1 failed (reads_pages_without_end)
>test adds ... FAILED

 failures:

>---- adds stdout ----

>thread 'adds' (7) panicked at src/lib.rs:9:5:
>assertion failed: 1 == 2
 note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

 failures:
     adds

 test result: FAILED. 1 passed; 1 failed
>error[E0308]: mismatched types
> --> src/lib.rs:1:1
>ci/containers: FAILED: the hostile suite as user 0
 error: test failed, to rerun pass `-p judge --test hostile`
 Caused by:
"""


def self_test():
    lines = SAMPLE.splitlines()
    expected = [line[1:] for line in lines if line.startswith(">")]
    found = failures([line[1:] for line in lines])
    assert found == expected, "\n".join(["expected:", *expected, "found:", *found])
    assert failures(["nothing", "known"]) == ["nothing", "known"]
    assert len(failures([f"case {number} FAILED" for number in range(1000)])) == MAX_LINES + 1


if __name__ == "__main__":
    project.main(__doc__, self_test, self_test)
