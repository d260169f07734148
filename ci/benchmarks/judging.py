"""`ci/bench`: many tiny tests, against a bare spawn of the same program, and against rivals."""

import argparse
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import PROBLEM, build, machine, measure, row, run, write_files

ONE = "judge run, one test case"
SAMPLE_ALONE = "verifyproblem, sample alone"

SPAWN = r"""
// Starts a program once for each input file, bare: vfork, exec, wait.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int out = open("/dev/null", O_WRONLY | O_CLOEXEC);
  char *args[] = {argv[1], 0}, *env[] = {0};
  for (int i = 2; i < argc; i++) {
    int in = open(argv[i], O_RDONLY | O_CLOEXEC), status = 0;
    pid_t pid = vfork();
    if (pid == 0) {
      dup2(in, 0);
      dup2(out, 1);
      execve(argv[1], args, env);
      _exit(127);
    }
    if (in < 0 || pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) return 1;
    close(in);
  }
  return 0;
}
"""

SUBMISSION = """
#include <iostream>
int main() {
  long long a, b;
  std::cin >> a >> b;
  std::cout << a + b << "\\n";
}
"""

LEGACY_PROBLEM = """problem_format_version: legacy
name: Many tiny tests
license: public domain
"""
# What the rivals insist on having; `judge run` looks at none of it.
INPUT_VALIDATOR = """
#include <iostream>
int main() {
  long long a, b;
  return std::cin >> a >> b ? 42 : 43;
}
"""
STATEMENT = "\\problemname{Many tiny tests}\nAdd two numbers.\n"


def make_package(package, tests, legacy=False):
    """Writes the package; returns its input files."""
    files = {
        "problem.yaml": LEGACY_PROBLEM if legacy else PROBLEM,
        ("problem_statement" if legacy else "statement") + "/problem.en.tex": STATEMENT,
        "input_validators/validate.cpp": INPUT_VALIDATOR,
        "submissions/accepted/sum.cpp": SUBMISSION,
        "data/sample/1.in": "1 2\n",
        "data/sample/1.ans": "3\n",
    }
    for number in range(1, tests):
        one, two = number * 7919 % 1000003, number * 104729 % 999983
        files[f"data/secret/{number:04}.in"] = f"{one} {two}\n"
        files[f"data/secret/{number:04}.ans"] = f"{one + two}\n"
    write_files(package, files)
    return sorted(str(path) for path in (package / "data").rglob("*.in"))


def compiled_program(cache):
    """The program that judge compiled, in its cache."""
    found = [path for path in cache.rglob("main") if path.is_file() and os.access(path, os.X_OK)]
    if len(found) != 1:
        sys.exit(f"ci/bench: expected one compiled program in the cache, found {len(found)}")
    return str(found[0])


def reported_cpu(judge, package, environment):
    """CPU seconds that judge reports for the submission itself, summed over the test cases, and the run's isolation."""
    command = [judge, "run", "--no-cache", "--json", str(package)]
    result = subprocess.run(command, env=environment, cwd=package, stdout=subprocess.PIPE, check=False, text=True)
    events = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    total = sum(event["cpu_time_us"] for event in events if event["event"] == "test_case_finished") / 1e6
    started = next((event for event in events if event["event"] == "run_started"), None)
    return total, started


def rival_commands(directories, legacy_package):
    """What of the rivals there is: name -> command. They start in the directory of the package."""
    commands = {}
    for directory in directories:
        bt, verify = Path(directory) / "bt", Path(directory) / "verifyproblem"
        if bt.exists():
            commands["bt run"] = [str(bt), "run", "--no-bar", "--no-generate"]
        if verify.exists():
            command = [str(verify), str(legacy_package), "-p", "submissions"]
            commands[SAMPLE_ALONE] = [*command, "-d", "sample"]
            commands["verifyproblem"] = command
            commands["verifyproblem -j 2"] = [*command, "-j", "2"]
    return commands


def without_compiling(samples):
    """Subtracts the run with the sample alone from the others of `verifyproblem`."""
    alone = samples.pop(SAMPLE_ALONE, None)
    for name in samples:
        if alone and name.startswith("verifyproblem"):
            samples[name] = tuple([all_ - one for all_, one in zip(*pair)] for pair in zip(samples[name], alone))
    return samples


def judging(arguments):
    """Measures `judge run` on many tiny tests."""
    parser = argparse.ArgumentParser(prog="ci/bench", description="What judging costs.")
    parser.add_argument("--tests", type=int, default=200)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--rivals", action="append", default=[], metavar="DIR")
    parser.add_argument("--judge", type=Path, help="the program, instead of building it")
    arguments = parser.parse_args(arguments)
    where = machine()
    judge = arguments.judge or build()
    compiler = shutil.which("cc") or sys.exit("ci/bench: no C compiler `cc` in PATH")
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as name:
        directory = Path(name)
        package, legacy_package = directory / "tiny", directory / "tinylegacy"
        inputs = make_package(package, arguments.tests)
        make_package(legacy_package, arguments.tests, legacy=True)
        make_package(directory / "one", 1)
        cache = directory / "cache"
        environment = os.environ | {"JUDGE_CACHE_DIR": str(cache), "HOME": str(directory)}
        (directory / "spawn.c").write_text(SPAWN, encoding="utf-8")
        spawn = str(directory / "spawn")
        subprocess.run([compiler, "-O2", "-o", spawn, str(directory / "spawn.c")], check=True)
        run([judge, "run", str(package)], package, environment)
        program = compiled_program(cache)
        commands = {
            "bare spawn": [spawn, program, *inputs],
            "judge run": [judge, "run", "--no-cache", str(package)],
            "judge run --jobs 1": [judge, "run", "--no-cache", "--jobs", "1", str(package)],
            "bare spawn (again)": [spawn, program, *inputs],
            ONE: [judge, "run", "--no-cache", "--jobs", "1", str(directory / "one")],
        }
        commands |= rival_commands(arguments.rivals, legacy_package)
        samples = without_compiling(measure(commands, arguments.repetitions, package, environment))
        own_cpu, started = reported_cpu(judge, package, environment)
        one = statistics.median(samples.pop(ONE)[1])

    isolation = started["isolation"]["level"] if started else "unknown"
    jobs = started["jobs"] if started else "?"
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {where}.")
    print(f"{arguments.tests} test cases, {arguments.repetitions} repetitions; isolation `{isolation}`, {jobs} jobs.\n")
    for title, index in (("CPU time", 1), ("Wall time", 0)):
        print(f"| {title} per test case | min µs | median µs | max µs | median / bare spawn |")
        print("|---|---:|---:|---:|---:|")
        for name, values in samples.items():
            print(row(name, values[index], arguments.tests, samples["bare spawn"][index]))
        print()
    many, bare = (statistics.median(samples[name][1]) for name in ("judge run --jobs 1", "bare spawn"))
    each = (many - one) / (arguments.tests - 1)
    print(f"A run of one test case takes {one * 1e3:.1f} ms of CPU time, every further one {each * 1e6:,.0f} µs, which is"
          f" {(each - bare / arguments.tests) * 1e6:,.0f} µs beyond the bare spawn (--jobs 1, medians).")
    print(f"CPU time of the submission itself, as judge reports it: {own_cpu / arguments.tests * 1e6:,.0f} µs per test case.")
    return 0
