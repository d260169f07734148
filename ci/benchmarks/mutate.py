"""`ci/bench mutate`: what `judge mutate` costs, and whether mutants in one program die like each alone."""

import argparse
import datetime
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import PROBLEM, build, machine, run, write_files

HEAD = "#include <algorithm>\n#include <iostream>\n#include <vector>\n"
# What contestants write: counting, sums, a table, two pointers.
PART = """
long long part@(std::vector<long long> a) {
    int n = a.size();
    long long best = 0, sum = 0;
    std::sort(a.begin(), a.end());
    std::vector<long long> to(n + 1);
    for (int i = 0; i < n; i++) {
        to[i + 1] = to[i] + a[i] * (i % @ + 1);
    }
    for (int i = 0, j = 0; i < n; i++) {
        while (j < n && a[j] - a[i] <= @0) {
            j++;
        }
        if (j - i > best || (j - i == best && to[j] > sum)) {
            best = j - i;
            sum = to[j] - to[i];
        }
    }
    return best * 1000 + sum % 997;
}
"""
MAIN = """
int main() {
    int n;
    std::cin >> n;
    std::vector<long long> a(n);
    for (long long &x : a) {
        std::cin >> x;
    }
@}
"""


def solution(parts):
    numbers = range(2, 2 + parts)
    lines = "".join(f"    std::cout << part{number}(a) << '\\n';\n" for number in numbers)
    return HEAD + "".join(PART.replace("@", str(number)) for number in numbers) + MAIN.replace("@", lines)


def make_package(package, tests, parts):
    """A package with tests of up to twelve numbers, which are answered by the solution itself."""
    rng = random.Random(1)
    source = package / "submissions" / "accepted" / "parts.cpp"
    write_files(package, {"problem.yaml": PROBLEM, "submissions/accepted/parts.cpp": solution(parts)})
    program = package.parent / "parts"
    subprocess.run(["c++", "-O2", "-o", program, source], check=True)
    for number in range(tests):
        count = rng.randint(1, 12)
        text = f"{count}\n{' '.join(str(rng.randint(1, 60)) for _ in range(count))}\n"
        answer = subprocess.run([program], input=text, capture_output=True, check=True, text=True).stdout
        write_files(package / "data" / "secret", {f"{number:02}.in": text, f"{number:02}.ans": answer})


def kills(document):
    """Mutant -> the verdicts on what kills it."""
    return {mutant["id"]: (mutant["status"], {kill["test_case"]: kill["verdict"] for kill in mutant["kills"]})
            for mutant in document["mutants"]}


class Measuring:
    """Runs of one program on one package, each with nothing known from before but what it is told to share."""

    def __init__(self, judge, package, solution, options, root):
        self.judge, self.package, self.solution, self.options, self.root = judge, package, solution, options, root
        tried = shutil.which("perf") and subprocess.run(["perf", "stat", "-e", "task-clock", "true"], capture_output=True, check=False)
        self.counts_all = bool(tried) and tried.returncode == 0

    def call(self, command, cache, *arguments):
        environment = os.environ | {"JUDGE_CACHE_DIR": str(self.root / cache), "HOME": str(self.root)}
        called = [self.judge, command, f"{self.package}/{self.solution}", *self.options, *arguments]
        if not self.counts_all:
            return run(called, self.root, environment)
        # What is killed together with the process that would have waited for it is in nobody's rusage.
        counted = self.root / "task-clock"
        wall, _ = run(["perf", "stat", "-x,", "-o", counted, "-e", "task-clock", *called], self.root, environment)
        return wall, float(re.search(r"^([\d.]+),msec,task-clock", counted.read_text(encoding="utf-8"), re.MULTILINE)[1]) / 1e3

    def mutate(self, cache, *arguments):
        """Wall and CPU seconds, and the document."""
        file = self.root / "mutants.json"
        wall, cpu = self.call("mutate", cache, f"--json={file}", *arguments)
        return wall, cpu, json.loads(file.read_text(encoding="utf-8").splitlines()[0])

    def judging(self, *arguments):
        """What it takes to do nothing but judge: each mutant, compiled by itself before, on one test case after the other until it
        is dead in each group. CPU seconds of everything, and of the mutants' own runs, and the document."""
        self.mutate("judging", "--apart", *arguments)
        for file in (self.root / "judging" / "mutants").iterdir():
            memory = json.loads(file.read_text(encoding="utf-8"))
            file.write_text(json.dumps(memory | {"verdicts": {}}), encoding="utf-8")
        _, cpu, document = self.mutate("judging", "--apart", *arguments)
        return cpu, document["method"]["running_us"] / 1e6, document


def mutate(arguments):
    """Measures mutation testing."""
    parser = argparse.ArgumentParser(prog="ci/bench mutate", description="What `judge mutate` costs.")
    parser.add_argument("--tests", type=int, default=50)
    parser.add_argument("--parts", type=int, default=6, help="functions of the solution, of about 50 mutants each")
    parser.add_argument("--package", type=Path, help="this package, instead of one that is made")
    parser.add_argument("--solution", default="accepted/parts.cpp", help="its solution")
    parser.add_argument("--sample", type=int, help="so many mutants at the most")
    parser.add_argument("--apart", type=int, default=40, help="so many mutants are judged apart too, each compiled by itself")
    parser.add_argument("--time-limit", default="2", help="in seconds, of all programs")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--judge", type=Path, help="the program, instead of building it")
    arguments = parser.parse_args(arguments)
    where = machine()
    judge = arguments.judge and arguments.judge.resolve() or build()
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as name:
        root = Path(name)
        package = arguments.package and arguments.package.resolve()
        if not package:
            package = root / "parts-of-a-program"
            make_package(package, arguments.tests, arguments.parts)
        options = ["-j", str(arguments.jobs), "--time-limit", arguments.time_limit]
        measuring = Measuring(judge, package, arguments.solution, options, root)
        sample = ["--sample", str(arguments.sample)] if arguments.sample else []
        wall, cpu, usual = measuring.mutate("usual", *sample)
        full_wall, full_cpu, full = measuring.mutate("full", "--full", *sample)
        fewer = ["--sample", str(min(arguments.apart, arguments.sample or arguments.apart))]
        apart_wall, apart_cpu, apart = measuring.mutate("apart", "--full", "--apart", *fewer)
        floor, running, bare = measuring.judging(*sample)
    tried = len(full["mutants"])
    runs = bare["method"]["runs"]
    endless = sum(any(kill["verdict"] == "TLE" for kill in mutant["kills"]) for mutant in bare["mutants"])
    together = kills(full)
    differing = {mutant: found for mutant, found in kills(apart).items() if together.get(mutant, found) != found}
    both = len(set(together) & set(kills(apart)))
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {where}. {arguments.jobs} jobs. "
          f"CPU time {'by `perf stat`' if measuring.counts_all else 'by getrusage(2), without all of what is killed'}.\n")
    print(f"{tried} mutants on {len(full['test_cases'])} test cases. To judge each until it is dead, compiled before: {runs} runs, {floor:.1f} s "
          f"of CPU time, {running:.1f} s of it in mutants, {floor / runs * 1e3:.1f} ms for a run; {endless} exceed the time limit.\n")
    print("| | mutants | wall, s | CPU, s | runs | CPU time for a mutant, s | CPU time to that of judging |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    rows = (("together, until each is dead", wall, cpu, usual), ("together, on all test cases", full_wall, full_cpu, full),
            ("each compiled apart, on all test cases", apart_wall, apart_cpu, apart))
    for what, seconds, used, document in rows:
        ratio = f"{used / floor:.2f}" if document is usual else ""
        mutants = len(document["mutants"])
        runs = document["method"]["runs"]
        print(f"| {what} | {mutants} | {seconds:.1f} | {used:.1f} | {runs:,} | {used / mutants:.3f} | {ratio} |")
    print(f"\nMutants whose kills differ together and apart: {len(differing)} of {both}.")
    for mutant, found in differing.items():
        print(f"- {mutant}: {together[mutant]} together, {found} apart", file=sys.stderr)
    return 0
