"""`ci/bench compare`: how often `judge compare` is right, whatever the budget and the load."""

import argparse
import datetime
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measuring import PROBLEM, build, machine, write_files

# Counts in a loop that the compiler cannot shorten. It does not know the percentage either: with another constant the loop may
# lie elsewhere in memory, and some processors then take twice as long for each round of it.
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
# As much memory as the input says, again and again: what others do to the caches is felt here.
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
BUSY = "while True: pass"


def make_package(package, percent):
    files = {"problem.yaml": PROBLEM, "reference.c": LOOP.replace("PERCENT", "100")}
    files["itself.c"] = files["reference.c"]
    files["more.c"] = LOOP.replace("PERCENT", str(100 + percent))
    files |= {"memory.c": MEMORY, "script.py": PYTHON}
    for number, steps in enumerate(STEPS, start=1):
        # The size of the input is that of the work, as it is in most problems.
        files[f"data/secret/{number}.in"] = f"{number} {steps}{' ' * (steps // 1000)}\n"
        files[f"data/secret/{number}.ans"] = f"{number}\n"
    write_files(package, files)


class Comparing:
    """The comparisons of one pair."""

    def __init__(self, judge, package, environment, file):
        self.command = [judge, "compare", "reference.c", file, "-p", str(package)]
        self.package, self.environment = package, environment

    def compare(self, budget, load, seed, gates=(), more=()):
        """One comparison beside so many busy processes: its document, and what it says of each gate."""
        busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(load)]
        document = self.package / "comparison.json"
        command = [*self.command, f"--json={document}", f"--budget={budget}", f"--seed={seed}", *more]
        if gates:
            command += ["--gate", " ".join(f"time<={gate:.6f}" for gate in gates)]
        try:
            result = subprocess.run(command, cwd=self.package, env=self.environment, capture_output=True, check=False, text=True)
        finally:
            for process in busy:
                process.kill()
                process.wait()
        if result.returncode not in (0, 6):
            sys.exit(f"ci/bench: `judge compare` ended with {result.returncode}:\n{result.stdout}{result.stderr}")
        words = re.findall(r"gate time<=\S+ for B:\s+(held|not held|undecided)", result.stdout)
        if len(words) != len(gates):
            sys.exit(f"ci/bench: expected {len(gates)} gates, found {len(words)} in\n{result.stdout}")
        return json.loads(document.read_text(encoding="utf-8")), words


def alone(comparing, arguments):
    """The candidate of the long quiet run."""
    # It is to take all of its time: a ratio that is known no better than those that are held against it says nothing.
    quiet, _ = comparing.compare(arguments.quiet, 0, 1, more=["--precision=0.01"])
    return quiet["candidates"][0]


def repeated(comparing, quiet, arguments, draw):
    """The repetitions: budget, load, candidate, gates."""
    ratio = quiet["cpu_time"]["ratio"]
    gates = [ratio * factor for factor in (0.98, 1, 1.02)]
    rows = []
    for seed in range(arguments.repetitions):
        budget, load = draw.choice(arguments.budgets), draw.choice(arguments.loads)
        document, words = comparing.compare(budget, load, seed, gates)
        rows.append((budget, load, document["candidates"][0], words))
        if arguments.verbose:
            estimate = document["candidates"][0].get("cpu_time") or {}
            print(budget, load, estimate.get("ratio"), estimate.get("interval"), words, file=sys.stderr)
    return rows


def summarize(name, quiet, rows):
    """A line of the table."""
    ratio = quiet["cpu_time"]["ratio"]
    decided = [candidate["cpu_time"] for _, _, candidate, _ in rows if candidate.get("cpu_time")]
    covered = sum(of["interval"][0] <= ratio <= of["interval"][1] for of in decided)
    others = sum(candidate["timed_on"]["test_cases"] != quiet["timed_on"]["test_cases"] for _, _, candidate, _ in rows)
    by_gate = list(zip(*(words for *_, words in rows)))
    contradictions = sum(min(words.count("held"), words.count("not held")) for words in by_gate)
    width = statistics.median((of["interval"][1] / of["interval"][0] - 1) / 2 for of in decided) if decided else 0
    ratios = sorted(of["ratio"] for of in decided) or [float("nan")]
    return (f"| {name} | {ratio:.3f} | {ratios[0]:.3f} to {ratios[-1]:.3f} | {covered} of {len(decided)} | {width * 100:.2f} % | "
            f"{len(rows) - len(decided)} | {others} | {contradictions} |")


def compare(arguments):
    """Compares pairs of programs at changing budgets and loads with a long quiet run."""
    parser = argparse.ArgumentParser(prog="ci/bench compare", description="How often `judge compare` is right.")
    numbers = lambda text: [float(number) for number in text.split(",")]  # noqa: E731
    parser.add_argument("--repetitions", type=int, default=100, help="of each pair")
    parser.add_argument("--quiet", type=float, default=120, help="seconds of the long quiet run")
    parser.add_argument("--budgets", type=numbers, default=[5, 10, 20, 40, 60])
    parser.add_argument("--loads", type=numbers, default=[0, 2, 8], help="busy processes beside")
    parser.add_argument("--percent", type=int, default=3, help="how much more the slower loop does")
    parser.add_argument("--pairs", default="itself,more,memory,script")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--judge", type=Path, help="the program, instead of building it")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args(arguments)
    arguments.loads = [int(load) for load in arguments.loads]
    files = {"itself": "itself.c", "more": "more.c", "memory": "memory.c", "script": "script.py"}
    where, begun = machine(), time.monotonic()
    judge = str(arguments.judge.resolve() if arguments.judge else build())
    lines = []
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as name:
        package = Path(name) / "loop"
        make_package(package, arguments.percent)
        environment = os.environ | {"JUDGE_CACHE_DIR": str(Path(name) / "cache"), "HOME": name}
        pairs = {pair: Comparing(judge, package, environment, files[pair]) for pair in arguments.pairs.split(",")}
        # All of them come first: nobody can promise hours of quiet.
        quiets = {pair: alone(comparing, arguments) for pair, comparing in pairs.items()}
        if arguments.verbose:
            print({pair: quiet["cpu_time"]["ratio"] for pair, quiet in quiets.items()}, file=sys.stderr)
        for pair, comparing in pairs.items():
            rows = repeated(comparing, quiets[pair], arguments, random.Random(arguments.seed))
            lines.append(summarize(pair, quiets[pair], rows))
    listed = lambda values: ", ".join(f"{value:g}" for value in values)  # noqa: E731
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {where}. {arguments.repetitions} comparisons of each pair in "
          f"{(time.monotonic() - begun) / 60:.0f} min, budgets {listed(arguments.budgets)} s, {listed(arguments.loads)} busy "
          f"processes beside; quiet run of {arguments.quiet:g} s.\n")
    print("| the reference against | quiet ratio | ratios | intervals with it | half-width, median | undecided | other test cases | "
          "gates that contradict |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    print("\n".join(lines))
    return 0
