"""`ci/bench compare`: how often `judge compare` is right, at different budgets and loads."""

import json
import random
import re
import statistics
import subprocess
import sys
import time

import project
from benchmarks.measuring import PROBLEM, bench, run, table
from benchmarks.memory import repeated_memory

# Counts in a loop that the compiler cannot shorten. The percentage is hidden from the compiler too: with another constant the
# loop may have another address, and some processors then take twice as long for each iteration.
LOOP = """
#include <stdio.h>
static volatile long long percent = PERCENT;
int main(void) {
  long long a, steps;
  volatile long long kept = 0;
  if (scanf("%lld %lld", &a, &steps) != 2) return 1;
  steps = steps * percent / 100;
  for (long long i = 0; i < steps; i++) kept = i;
  (void)kept;
  printf("%lld\\n", a);
}
"""
# Walks through a large array repeatedly: other programs that use the caches slow it down.
MEMORY = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  long long a, steps;
  if (scanf("%lld %lld", &a, &steps) != 2) return 1;
  size_t cells = 1 << 20, at = 0;
  unsigned *next = malloc(cells * sizeof *next);
  for (size_t i = 0; i < cells; i++) next[i] = (unsigned)((i * 2654435761u + 12345) % cells);
  for (long long i = 0; i < steps / 20; i++) at = next[at] ^ (i & 1);
  printf("%lld\\n", a + (at > cells));
}
"""
PYTHON = """
a, steps = map(int, input().split())
kept = 0
for i in range(steps // 20):
    kept += i & 3
print(a)
"""
STEPS = (20, 50_000, 3_000_000, 10_000_000, 20_000_000, 40_000_000)
FILES = {"itself": "itself.c", "more": "more.c", "memory": "memory.c", "script": "script.py"}


def make_package(package, percent):
    files = {"problem.yaml": PROBLEM, "reference.c": LOOP.replace("PERCENT", "100")}
    files["itself.c"] = files["reference.c"]
    files["more.c"] = LOOP.replace("PERCENT", str(100 + percent))
    files |= {"memory.c": MEMORY, "script.py": PYTHON}
    for number, steps in enumerate(STEPS, start=1):
        # The size of the input grows with the work, as in most problems.
        files[f"data/secret/{number}.in"] = f"{number} {steps}{' ' * (steps // 1000)}\n"
        files[f"data/secret/{number}.ans"] = f"{number}\n"
    project.write_files(package, files)


def comparison(bench, pair, budget, load, gates=(), more=()):
    """Compares a pair while `load` other processes are busy; returns its candidate, and the decision about each gate."""
    package, document = bench.directory / "loop", bench.directory / "comparison.json"
    command = [bench.judge, "compare", "reference.c", FILES[pair], "-p", package, f"--report=json={document}", f"--budget={budget}", *more]
    if gates:
        command += ["--gate", " ".join(f"time<={gate:.6f}" for gate in gates)]
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(load)]
    try:
        _, _, output = run(command, package, bench.environment, codes=(0, 6))
    finally:
        for process in busy:
            process.kill()
            process.wait()
    words = re.findall(r"gate time<=\S+ for B:\s+(held|not held|undecided)", output)
    if len(words) != len(gates):
        sys.exit(f"ci/bench: expected {len(gates)} gates, found {len(words)} in\n{output}")
    return json.loads(document.read_text(encoding="utf-8"))["candidates"][0], words


def repeated(bench, pair, quiet):
    """Compares a pair repeatedly, and returns its row of the table."""
    draw, rows, ratio = random.Random(bench.options.seed), [], quiet["cpu_time"]["ratio"]
    budgets, loads = ([float(number) for number in text.split(",")] for text in (bench.options.budgets, bench.options.loads))
    for _ in range(bench.options.repetitions):
        budget, load = draw.choice(budgets), int(draw.choice(loads))
        candidate, words = comparison(bench, pair, budget, load, [ratio * factor for factor in (0.98, 1, 1.02)])
        rows.append((candidate, words))
        if bench.options.verbose:
            estimate = candidate.get("cpu_time") or {}
            print(budget, load, estimate.get("ratio"), estimate.get("interval"), words, file=sys.stderr)
    decided = [candidate["cpu_time"] for candidate, _ in rows if candidate.get("cpu_time")]
    covered = sum(estimate["interval"][0] <= ratio <= estimate["interval"][1] for estimate in decided)
    others = sum(candidate["timed_on"]["test_cases"] != quiet["timed_on"]["test_cases"] for candidate, _ in rows)
    contradictions = sum(min(words.count("held"), words.count("not held")) for words in zip(*(words for _, words in rows)))
    width = statistics.median((estimate["interval"][1] / estimate["interval"][0] - 1) / 2 for estimate in decided) if decided else 0
    ratios = [estimate["ratio"] for estimate in decided] or [float("nan")]
    return [pair, f"{ratio:.3f}", f"{min(ratios):.3f} to {max(ratios):.3f}", f"{covered} of {len(decided)}", f"{width * 100:.2f} %",
            str(len(rows) - len(decided)), str(others), str(contradictions)]


def compare(arguments):
    """Compares pairs of programs at changing budgets and loads with a long quiet run, and the memory of programs whose ratio is known."""
    started = time.monotonic()
    with bench(arguments, "compare", repetitions=100, quiet=120.0, budgets="5,10,20,40,60", loads="0,2,8", percent=3,
               pairs="itself,more,memory,script", pages="0:0,256:256,256:384,1024:1536,4096:6144", memory_budget=5.0, seed=1,
               verbose=False) as opened:
        make_package(opened.directory / "loop", opened.options.percent)
        # The quiet runs come first, because a host is rarely quiet for hours. They last until their intervals are narrower than those of
        # the other runs: a reference ratio must be more precise than the ratios that are compared with it.
        quiets = {pair: comparison(opened, pair, opened.options.quiet, 0, more=["--precision=0.01"])[0] for pair in opened.options.pairs.split(",") if pair}
        rows = [repeated(opened, pair, quiet) for pair, quiet in quiets.items()]
        timed = (time.monotonic() - started) / 60
        generator = random.Random(opened.options.seed)
        pages = [tuple(map(int, pair.split(":"))) for pair in opened.options.pages.split(",") if pair]
        of_memory = [repeated_memory(opened, pair, generator) for pair in pages]
    options = opened.options
    if rows:
        print(f"{options.repetitions} comparisons of each pair in {timed:.0f} min, budgets {options.budgets} s,"
              f" {options.loads} other busy processes; quiet run of {options.quiet:g} s.\n")
        table(["the reference against", "quiet ratio", "ratios", "intervals with it", "half-width, median", "undecided", "other test cases",
               "gates that contradict"], rows)
    if of_memory:
        print(f"Memory: {options.repetitions} comparisons of each pair, a budget of {options.memory_budget:g} s.\n")
        table(["memory of the reference", "true ratio", "ratios, by the true one", "intervals with it", "half-width, median",
               "claims of less or more"], of_memory)
