"""`ci/bench discovery`: many small packages."""

import argparse
import datetime
import os
import tempfile
from pathlib import Path

from benchmarks.measuring import PROBLEM, build, machine, measure, row, write_files

def make_small_package(package, number):
    """Writes a package in which nothing is wrong: four test cases, two submissions, an input validator, a statement."""
    files = {
        "problem.yaml": PROBLEM.replace("5c7d4b55-3c57-4d0e-8d4b-20fd5f5f6c11", f"00000000-0000-4000-8000-{number:012}"),
        "statement/problem.en.md": "Print the input.\n",
        "input_validators/validate.py": "import sys\nsys.exit(42)\n",
        "submissions/accepted/good.py": "print(input())\n",
        "submissions/wrong_answer/bad.py": f"print({number})\n",
    }
    for case in ("sample/1", "secret/1", "secret/2", "secret/3"):
        files[f"data/{case}.in"] = files[f"data/{case}.ans"] = f"{number} {case}\n"
    write_files(package, files)


def discovery(arguments):
    """Measures finding and reading many packages."""
    parser = argparse.ArgumentParser(prog="ci/bench discovery", description="What many small packages cost.")
    parser.add_argument("--packages", type=int, default=1000)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--judge", metavar="FILE", help="the program; otherwise the release build, built first")
    arguments = parser.parse_args(arguments)
    where = machine()
    judge = arguments.judge or build()
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as name:
        directory = Path(name)
        for number in range(arguments.packages):
            make_small_package(directory / f"set{number // 100}" / f"problem{number:04}", number)
        commands = {
            "find": ["find", str(directory)],
            "judge list": [judge, "list", str(directory)],
            "judge check --static": [judge, "check", "--static", str(directory)],
            "find (again)": ["find", str(directory)],
        }
        samples = measure(commands, arguments.repetitions, directory, os.environ | {"HOME": str(directory)})
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {where}.")
    print(f"{arguments.packages} packages, {arguments.repetitions} repetitions.\n")
    for title, index in (("CPU time", 1), ("Wall time", 0)):
        print(f"| {title} per package | min µs | median µs | max µs | median / find |")
        print("|---|---:|---:|---:|---:|")
        for name, values in samples.items():
            print(row(name, values[index], arguments.packages, samples["find"][index]))
        print()
    return 0
