"""`ci/bench mutate`: what `judge mutate` costs, and whether mutants in one program die like each alone."""

import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.measuring import PROBLEM, bench, run, table, write_files

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


def counts_everything():
    """True if `perf stat` works: processes that are killed with the one that would have waited for them are in nobody's rusage."""
    return bool(shutil.which("perf")) and subprocess.run(["perf", "stat", "-e", "task-clock", "true"], capture_output=True, check=False).returncode == 0


def mutants(bench, package, cache, *words):
    """Wall and CPU seconds of `judge mutate` with a cache, and its document."""
    options, file, clock = bench.options, bench.directory / "mutants.json", bench.directory / "task-clock"
    command = [bench.judge, "mutate", f"{package}/{options.solution}", "-j", options.jobs, "--time-limit", options.time_limit, f"--json={file}", *words]
    if options.sample and "--sample" not in words:
        command += ["--sample", options.sample]
    perf = ["perf", "stat", "-x,", "-o", clock, "-e", "task-clock"] if counts_everything() else []
    wall, cpu, _ = run([*perf, *command], bench.directory, bench.environment | {"JUDGE_CACHE_DIR": str(bench.directory / cache)})
    if perf:
        cpu = float(re.search(r"^([\d.]+),msec,task-clock", clock.read_text(encoding="utf-8"), re.MULTILINE)[1]) / 1e3
    return wall, cpu, json.loads(file.read_text(encoding="utf-8").splitlines()[0])


def judging_alone(bench, package):
    """The same for nothing but judging: each mutant, compiled by itself before, until it is dead in each group."""
    mutants(bench, package, "judging", "--apart")
    for file in (bench.directory / "judging/mutants").iterdir():
        file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | {"verdicts": {}}), encoding="utf-8")
    return mutants(bench, package, "judging", "--apart")


def mutate(arguments):
    """Measures mutation testing."""
    with bench(arguments, "mutate", tests=50, parts=6, package=None, solution="accepted/parts.cpp", sample=0, apart=40, time_limit="2",
               jobs=2) as opened:
        options, package = opened.options, opened.directory / "parts-of-a-program"
        if options.package:
            package = Path(options.package).resolve()
        else:
            make_package(package, options.tests, options.parts)
        usual = mutants(opened, package, "usual")
        full = mutants(opened, package, "full", "--full")
        apart = mutants(opened, package, "apart", "--full", "--apart", "--sample", min(options.apart, options.sample or options.apart))
        _, floor, bare = judging_alone(opened, package)
    runs = bare["method"]["runs"]
    endless = sum(any(kill["verdict"] == "TLE" for kill in mutant["kills"]) for mutant in bare["mutants"])
    print(f"{options.jobs} jobs. CPU time {'by `perf stat`' if counts_everything() else 'by getrusage(2), without all of what is killed'}."
          f" {len(full[2]['mutants'])} mutants on {len(full[2]['test_cases'])} test cases. To judge each until it is dead, compiled before:"
          f" {runs} runs, {floor:.1f} s of CPU time, {bare['method']['running_us'] / 1e6:.1f} s of it in mutants, {floor / runs * 1e3:.1f} ms"
          f" for a run; {endless} exceed the time limit.\n")
    rows = []
    for title, (wall, cpu, document) in (("together, until each is dead", usual), ("together, on all test cases", full),
                                         ("each compiled apart, on all test cases", apart)):
        number, runs = len(document["mutants"]), document["method"]["runs"]
        ratio = f"{cpu / floor:.2f}" if document is usual[2] else ""
        rows.append([title, str(number), f"{wall:.1f}", f"{cpu:.1f}", f"{runs:,}", f"{cpu / number:.3f}", ratio])
    table(["", "mutants", "wall, s", "CPU, s", "runs", "CPU time for a mutant, s", "CPU time to that of judging"], rows)
    together, alone = kills(full[2]), kills(apart[2])
    differing = [mutant for mutant in alone.keys() & together.keys() if alone[mutant] != together[mutant]]
    print(f"Mutants whose kills differ together and apart: {len(differing)} of {len(alone.keys() & together.keys())}.")
    for mutant in differing:
        print(f"- {mutant}: {together[mutant]} together, {alone[mutant]} apart", file=sys.stderr)
