"""What all benchmarks need: the program, the machine, and measuring commands in turns."""

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

PROBLEM = """problem_format_version: 2025-09
type: pass-fail
name:
  en: Many tiny tests
uuid: 5c7d4b55-3c57-4d0e-8d4b-20fd5f5f6c11
license: public domain
limits:
  time_limit: 1
  memory: 256
"""


def run_leniently(command, directory, environment):
    """Wall and CPU seconds of a command and everything below it, however it ends."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run(command, directory, environment):
    """Wall and CPU seconds of a command and everything below it. Ends the benchmark when the command fails."""
    with tempfile.TemporaryFile() as log:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        code = subprocess.run(
            command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False
        ).returncode
        wall = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        log.seek(0)
        text = log.read().decode(errors="replace")
        # `bt` ends with 1 after warnings too, such as about languages that this host lacks.
        if code != 0 and not (Path(command[0]).name == "bt" and "AC" in text):
            sys.exit(f"ci/bench: `{' '.join(map(str, command))[:200]}` ended with exit code {code}:\n{text[-4000:]}")
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return wall, cpu


def build():
    """Builds judge; returns its path."""
    command = ["cargo", "build", "--release", "--locked", "--package=judge", "--bin=judge", "--message-format=json"]
    built = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False, text=True)
    if built.returncode != 0:
        sys.exit("ci/bench: `judge` does not build")
    messages = (json.loads(line) for line in built.stdout.splitlines() if line.startswith("{"))
    return next(message["executable"] for message in messages if message.get("executable"))


def machine():
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores ({model}), {platform.system()} {platform.release()}, load {load:.1f} at the start"


def measure(commands, repetitions, directory, environment):
    """Runs every command once to warm up, then all of them in turn. name -> ([wall], [cpu])"""
    samples = {name: ([], []) for name in commands}
    for repetition in range(repetitions + 1):
        for name, command in commands.items():
            wall, cpu = run(command, directory, environment)
            if repetition > 0:
                samples[name][0].append(wall)
                samples[name][1].append(cpu)
    return samples


def row(name, values, tests, floor):
    """A line of the table: min, median and max per test case in microseconds, and the ratio to the floor's median."""
    per_test = sorted(value / tests * 1e6 for value in values)
    ratio = statistics.median(values) / statistics.median(floor)
    low, middle, high = per_test[0], statistics.median(per_test), per_test[-1]
    return f"| {name} | {low:,.0f} | {middle:,.0f} | {high:,.0f} | {ratio:.2f} |"


def write_files(directory, files):
    """Writes texts below a directory: path -> text."""
    for place, text in files.items():
        path = directory / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
