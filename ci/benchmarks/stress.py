"""`ci/bench stress`: how many inputs `judge stress` tries each second."""

import argparse
import datetime
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measuring import PROBLEM, build, machine, write_files

ADD = "#include <cstdio>\nint main() { long long a, b; if (scanf(\"%lld %lld\", &a, &b) != 2) return 1; printf(\"%lld\\n\", a + b); }\n"
DRAW = """
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unistd.h>
int main(int c, char **v) {
#ifdef COUNTER
  FILE *counter = fopen(COUNTER, "a");
  fputc('x', counter);
  fclose(counter);
#endif
  // Called without arguments, as `oj` does: a seed of its own.
  unsigned long long high = c > 1 ? atoll(v[1]) : 1000000000, s = c > 2 ? atoll(v[2]) : clock() + getpid() * 7919ull;
  s = s * 6364136223846793005ull + 1442695040888963407ull;
  unsigned long long a = (s >> 33) % (high + 1);
  s = s * 6364136223846793005ull + 1442695040888963407ull;
  printf("%llu %llu\\n", a, (s >> 33) % (high + 1));
}
"""
VALIDATE = """
#include <cstdio>
int main() {
  long long a, b;
  return scanf("%lld %lld", &a, &b) == 2 && a >= 0 && b >= 0 && getchar() == '\\n' && getchar() == EOF ? 42 : 43;
}
"""
GRAMMAR = "INT(0,1000000000) SPACE INT(0,1000000000) NEWLINE EOF\n"


def make_stress_package(package, validator="validate.cpp", text=VALIDATE):
    """A package with a generator, an input validator, and two programs that add two numbers."""
    rules = 'data: {secret: {data: {"1": "draw.cpp 1000000000 {seed}"}}}\n'
    files = {"problem.yaml": PROBLEM, f"input_validators/{validator}": text, "generators/draw.cpp": DRAW}
    files |= {"generators/generators.yaml": rules, "data/secret/1.in": "1 2\n", "data/secret/1.ans": "3\n"}
    files |= {"submissions/accepted/one.cpp": ADD, "submissions/accepted/two.cpp": "// Another one.\n" + ADD}
    write_files(package, files)


def stress(arguments):
    """Counts how many inputs are tried each second."""
    parser = argparse.ArgumentParser(prog="ci/bench stress", description="How many inputs `judge stress` tries.")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--rivals", metavar="DIR", type=Path)
    parser.add_argument("--judge", type=Path, help="the program, instead of building it")
    arguments = parser.parse_args(arguments)
    where = machine()
    judge = arguments.judge or build()
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as name:
        root = Path(name)
        for kind, validator, text in (("program", "validate.cpp", VALIDATE), ("grammar", "validate.ctd", GRAMMAR)):
            make_stress_package(root / kind, validator, text)
        environment = os.environ | {"JUDGE_CACHE_DIR": str(root / "cache"), "HOME": name}
        rates = {}
        commands = {}
        for kind, what in (("program", "a validator in C++"), ("grammar", "a validator in process")):
            commands[f"judge stress, {what}"] = [judge, "stress", "accepted/one.cpp", "-p", str(root / kind), "-j", "1",
                                                "--seed", "1", "--source", "generators", "--json"]
        for command in commands.values():
            subprocess.run([*command, "--inputs", "10"], cwd=root / "program", env=environment, capture_output=True, check=True)
        oj = arguments.rivals and arguments.rivals / "oj"
        if oj and oj.exists():
            for program, source in (("one", ADD), ("two", ADD), ("draw", DRAW)):
                (root / f"{program}.cpp").write_text(source, encoding="utf-8")
                counting = f'-DCOUNTER="{root}/calls"'
                subprocess.run(["c++", "-O2", counting, "-o", root / program, root / f"{program}.cpp"], check=True)
        for _ in range(arguments.repetitions):
            for kind, command in commands.items():
                begun = resource.getrusage(resource.RUSAGE_CHILDREN)
                result = subprocess.run([*command, "--time", str(arguments.seconds)], cwd=root / "program", env=environment,
                                        capture_output=True, check=False, text=True)
                if result.returncode != 0:
                    sys.exit(f"ci/bench: `judge stress` ended with {result.returncode}:\n{result.stdout}{result.stderr}")
                ended = resource.getrusage(resource.RUSAGE_CHILDREN)
                document = json.loads(result.stdout)
                cpu = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
                inputs, seconds = document["inputs"], document["elapsed_us"] / 1e6
                rates.setdefault(kind, []).append((inputs / seconds, inputs / cpu))
            if oj and oj.exists():
                # It never finds anything, and so never ends; the generator counts its calls.
                counter = root / "calls"
                counter.write_bytes(b"")
                begun, at = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
                command = [oj, "generate-input", "-j", "1", "--hack-actual", root / "one", "--hack-expected", root / "two", "-d",
                           root / "hacks", root / "draw"]
                rival = subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                try:
                    rival.wait(arguments.seconds)
                except subprocess.TimeoutExpired:
                    rival.send_signal(signal.SIGINT)
                    rival.wait()
                seconds, ended = time.monotonic() - at, resource.getrusage(resource.RUSAGE_CHILDREN)
                cpu = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
                count = counter.stat().st_size
                rates.setdefault("oj generate-input --hack", []).append((count / seconds, count / cpu))
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {where}. One job; {arguments.repetitions} repetitions.\n")
    print("| | inputs each second | inputs each second of CPU time |")
    print("|---|---:|---:|")
    for kind, values in rates.items():
        wall, cpu = (statistics.median(column) for column in zip(*values))
        print(f"| {kind} | {wall:,.0f} | {cpu:,.0f} |")
    return 0
