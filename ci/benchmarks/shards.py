"""`ci/bench shards`: a run in shards against one run."""

import argparse
import datetime
import json
import os
import statistics
import tempfile
from pathlib import Path

from benchmarks.measuring import PROBLEM, build, machine, run

def make_skewed_archive(workspace, submissions):
    """Six problems; of the submissions most do nothing but answer, and every fortieth waits first."""
    (workspace / "judge.yaml").write_text("problems: [problems]\nsolutions: solutions\n", encoding="utf-8")
    for number in range(6):
        problem = workspace / f"problems/archive{number}"
        for test in range(5):
            path = problem / f"data/secret/{test}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_suffix(".in").write_text(f"{test} {number}\n", encoding="utf-8")
            path.with_suffix(".ans").write_text(f"{test + number}\n", encoding="utf-8")
        (problem / "problem.yaml").write_text(PROBLEM.replace("f6c11", f"f6c{number}2"), encoding="utf-8")
    for index in range(submissions):
        # The slow ones lie together, as in archives where one problem is the hard one.
        slow = index % 6 == 2 and index % 7 == 0
        path = workspace / f"solutions/archive{index % 6}/accepted/s{index:05}.sh"
        path.parent.mkdir(parents=True, exist_ok=True)
        wait = "sleep 0.2\n" if slow else ""
        path.write_text(f"#!/bin/bash\n# {index}\nread a b\n{wait}echo $((a + b))\n", encoding="utf-8")


def durations_of(stream):
    """What each submission took, as the events of a run say."""
    durations = {}
    for line in stream.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] == "test_case_finished":
            key = event["problem"], event["submission"]
            durations[key] = durations.get(key, 0) + event["wall_time_us"]
    return durations


def cost_of_shards(out, durations):
    """What the submissions of each shard took in the run that the durations are of."""
    events = ([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in out.glob("shard-*.jsonl"))
    return [sum(durations[event["problem"], event["submission"]] for event in each if event["event"] == "submission_finished")
            for each in events]


def balance(costs):
    return max(costs) * len(costs) / sum(costs)


def shards(arguments):
    """Measures what cutting a run costs."""
    parser = argparse.ArgumentParser(prog="ci/bench shards", description="What a run in shards costs over one run.")
    parser.add_argument("--submissions", type=int, default=1200)
    parser.add_argument("--shards", type=int, default=16)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--judge", help="the program; without it, it is built for release")
    arguments = parser.parse_args(arguments)
    where = machine()
    judge, number = arguments.judge or build(), arguments.shards
    times = {"one run": [], f"{number} shards": [], "an empty shard": [], "judge merge": []}
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as name:
        directory = Path(name)
        workspace = directory / "workspace"
        workspace.mkdir()
        make_skewed_archive(workspace, arguments.submissions)
        environment = os.environ | {"JUDGE_CACHE_DIR": str(directory / "cache"), "HOME": str(directory)}

        def in_shards(out, *options):
            taken = 0
            for shard in range(1, number + 1):
                command = [judge, "run", "-q", "--no-cache", "--shard", f"{shard}/{number}", "--events", str(out), *options]
                taken += run(command, workspace, environment)[0]
            return taken

        alone = directory / "alone.jsonl"
        run([judge, "run", "-q", "--no-cache", f"--json={alone}"], workspace, environment)
        for repetition in range(arguments.repetitions):
            out, known = directory / f"out{repetition}", directory / f"known{repetition}"
            times["one run"].append(run([judge, "run", "-q", "--no-cache", f"--json={alone}"], workspace, environment)[0])
            times[f"{number} shards"].append(in_shards(out))
            durations = durations_of(alone)
            in_shards(known, "--durations", str(alone))
            empty = ["--shard", f"{arguments.submissions + 1}/{arguments.submissions + 1}", "--events", str(directory / f"empty{repetition}")]
            times["an empty shard"].append(run([judge, "run", "-q", *empty], workspace, environment)[0])
            times["judge merge"].append(run([judge, "merge", "-q", str(out)], workspace, environment)[0])
        estimated, measured = cost_of_shards(out, durations), cost_of_shards(known, durations)
        tests = sum(line.startswith('{"event":"test_case_finished"') for line in alone.read_text("utf-8").splitlines())
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {where}.")
    print(f"{arguments.submissions} submissions, {tests} test cases, {arguments.repetitions} repetitions.\n")
    print("| | min s | median s | max s | median / one run |")
    print("|---|---:|---:|---:|---:|")
    for name, values in times.items():
        if values:
            middle = statistics.median(values)
            ratio = middle / statistics.median(times["one run"])
            print(f"| {name} | {min(values):.2f} | {middle:.2f} | {max(values):.2f} | {ratio:.3f} |")
    print(f"\n`judge merge`: {statistics.median(times['judge merge']) / tests * 1e6:.0f} µs per test case.")
    print(f"Largest shard over the mean: {balance(estimated):.2f} by estimates, {balance(measured):.2f} by durations.")
    return 0
