"""Parts that all benchmarks share: their options, a directory, the program, and measuring commands in turns."""

import argparse
import contextlib
import datetime
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import project

PROBLEM = project.problem_yaml("Many tiny tests", "time_limit: 1, memory: 256")


class Bench(NamedTuple):
    """A benchmark: its options, the program, an empty directory, and an environment with a separate cache."""

    options: argparse.Namespace
    judge: str
    directory: Path
    environment: dict


@contextlib.contextmanager
def bench(arguments, mode, *words, **defaults):
    """Parses the options of a mode (name=default) and prints the date and the machine."""
    parser = argparse.ArgumentParser(prog=f"ci/bench {mode}")
    parser.add_argument("--judge", metavar="FILE", help="the program, instead of the release build")
    for name in words:
        parser.add_argument(name)
    for name, default in defaults.items():
        kind = {"action": "store_true"} if default is False else {"type": type(default) if default is not None else str}
        parser.add_argument(f"--{name.replace('_', '-')}", default=default, **kind, help=f"default: {default}")
    options = parser.parse_args(arguments)
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {os.cpu_count()} cores ({model[1] if model else platform.machine()}),"
          f" {platform.system()} {platform.release()}, load {os.getloadavg()[0]:.1f} at the start.\n", flush=True)
    judge = project.judge(options.judge, release=True)
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as name:
        environment = os.environ | {"JUDGE_CACHE_DIR": f"{name}/cache"}
        yield Bench(options, judge, Path(name), environment)


def run(command, directory, environment, codes=(0,)):
    """Returns wall and CPU seconds of a command and its descendants, and its output. Ends the benchmark at any other exit code."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([str(word) for word in command], cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace", check=False)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    # `bt` and `verifyproblem` end with 1 after warnings too, such as about missing languages.
    if done.returncode not in codes and not (done.returncode == 1 and Path(command[0]).name in ("bt", "verifyproblem")):
        sys.exit(f"ci/bench: {' '.join(map(str, command))[:300]}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def measure(commands, repetitions, directory, environment):
    """Runs every command once to warm up, then all of them in turns: name -> (wall seconds, CPU seconds)."""
    samples = {name: ([], []) for name in commands}
    for repetition in range(repetitions + 1):
        for name, command in commands.items():
            measured = run(command, directory, environment)
            for values, value in zip(samples[name], measured[:2] if repetition else ()):
                values.append(value)
    return samples


def table(head, rows):
    print(f"| {' | '.join(head)} |\n|---|{'---:|' * (len(head) - 1)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print()


def spread(samples, number, floor):
    """Prints CPU and wall time of each command for one of `number` things, and their ratio to the command `floor`."""
    for title, index in (("CPU", 1), ("wall", 0)):
        base = statistics.median(samples[floor][index])
        rows = []
        for name, values in samples.items():
            each = [value / number * 1e6 for value in values[index]]
            middle = statistics.median(each)
            rows.append([name, f"{min(each):,.1f}", f"{middle:,.1f}", f"{max(each):,.1f}", f"{middle * number / 1e6 / base:.2f}"])
        table([f"{title} time, µs", "min", "median", "max", f"ratio to {floor}"], rows)
