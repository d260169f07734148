"""`ci/bench versions`: another program of judge against this one, by turns."""

import argparse
import datetime
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.judging import make_package
from benchmarks.measuring import ROOT, build, machine, run
from benchmarks.stress import make_stress_package


def paired(samples):
    """The median of the ratios of neighbours, which were measured one after the other, and the middle half of them."""
    ratios = sorted(new / old for old, new in samples)
    quarter = len(ratios) // 4
    return statistics.median(ratios), ratios[quarter], ratios[-1 - quarter]


def cpu_of(command, directory, environment):
    """CPU seconds of a command and all that it waited for, and what it wrote."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, cwd=directory, env=environment, capture_output=True, check=False, text=True)
    if result.returncode != 0:
        sys.exit(f"ci/bench: `{' '.join(map(str, command))}` ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime, result.stdout


def in_turns(repetitions, measure):
    """Measures old and new, new and old, and so on; each once before, to warm up."""
    samples = []
    for repetition in range(repetitions + 1):
        order = (0, 1) if repetition % 2 else (1, 0)
        values = {which: measure(which) for which in order}
        if repetition:
            samples.append((values[0], values[1]))
    return samples


def versions(arguments):
    """Measures tiny tests, a run without changes, and searching, with two programs by turns."""
    parser = argparse.ArgumentParser(prog="ci/bench versions", description="Another program of judge against this one.")
    parser.add_argument("old", type=Path, metavar="OLD", help="the other program")
    parser.add_argument("--judge", type=Path, help="this program, instead of building it")
    parser.add_argument("--tests", type=int, default=200)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--inputs", type=int, default=500, help="of `judge stress`")
    arguments = parser.parse_args(arguments)
    where = machine()
    programs = [arguments.old.resolve(), (arguments.judge or Path(build())).resolve()]
    measured = {}
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as name:
        directory = Path(name)
        package = directory / "tiny"
        make_package(package, arguments.tests)
        searched = directory / "searched"
        make_stress_package(searched)
        environments = []
        for which in ("old", "new"):
            environments.append(os.environ | {"JUDGE_CACHE_DIR": str(directory / which)})

        def tiny(which):
            return run([programs[which], "run", "--no-cache", "--jobs", "1", package], package, environments[which])[1]

        def nothing_changed(which):
            return run([programs[which], "run", "--quiet"], ROOT, environments[which])[0]

        def listing(which):
            return run([programs[which], "list"], ROOT, environments[which])[0]

        def searching(which):
            command = [programs[which], "stress", "accepted/one.cpp", "-p", searched, "-j", "1", "--seed", "1",
                       "--source", "generators", "--json", "--inputs", str(arguments.inputs)]
            cpu, text = cpu_of(command, searched, environments[which])
            return cpu / json.loads(text)["inputs"]

        modes = {"CPU time of a tiny test case": (tiny, arguments.tests), "wall time of a run without changes": (nothing_changed, 1),
                 "wall time of `judge list`": (listing, 1), "CPU time of an input of `judge stress`": (searching, 1)}
        for title, (measure, number) in modes.items():
            measured[title] = [(old / number, new / number) for old, new in in_turns(arguments.repetitions, measure)]
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {where}. {arguments.repetitions} pairs, by turns.\n")
    print("| | old, median ms | new, median ms | new over old, median of pairs | middle half |")
    print("|---|---:|---:|---:|---:|")
    for title, samples in measured.items():
        old, new = (statistics.median(column) * 1e3 for column in zip(*samples))
        ratio, low, high = paired(samples)
        print(f"| {title} | {old:.2f} | {new:.2f} | {ratio:.3f} | {low:.3f} to {high:.3f} |")
    return 0
