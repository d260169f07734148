"""`ci/bench unchanged`: a run without changes."""

import argparse
import datetime
import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

from benchmarks.measuring import ROOT, build, machine, measure, run

def unchanged(arguments):
    """Measures `judge run` where nothing has changed, against commands that run nothing."""
    parser = argparse.ArgumentParser(prog="ci/bench unchanged", description="What a run without changes costs.")
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("what", nargs="*")
    arguments = parser.parse_args(arguments)
    where = machine()
    judge = build()
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as name:
        environment = os.environ | {"JUDGE_CACHE_DIR": str(Path(name) / "cache")}
        again = [judge, "run", *arguments.what]
        first = run(again, ROOT, environment)
        stream = subprocess.run([*again, "--json"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True).stdout
        events = [json.loads(line) for line in stream.splitlines()]
        commands = {"judge --version": [judge, "--version"], "judge list": [judge, "list", *arguments.what]}
        commands |= {"judge run, nothing changed": again, "judge --version (again)": [judge, "--version"]}
        samples = measure(commands, arguments.repetitions, ROOT, environment)
    tests = [event for event in events if event["event"] == "test_case_finished"]
    submissions = sum(event["event"] == "submission_finished" for event in events)
    cached = sum(event.get("cached", False) for event in tests)
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {where}.")
    print(f"{submissions} submissions, {len(tests)} results, {cached} of them cached; {arguments.repetitions} repetitions.\n")
    print("| command | wall ms, min | median | max | CPU ms, median |")
    print("|---|---:|---:|---:|---:|")
    print(f"| judge run, nothing kept, with compiling | {first[0] * 1e3:,.1f} | | | {first[1] * 1e3:,.1f} |")
    for name, (wall, cpu) in samples.items():
        values = [min(wall), statistics.median(wall), max(wall), statistics.median(cpu)]
        print(f"| {name} | " + " | ".join(f"{value * 1e3:,.1f}" for value in values) + " |")
    return 0
