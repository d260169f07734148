"""`ci/bench sandbox`: one run of a program that does nothing."""

import argparse
import datetime
import subprocess
import sys

from benchmarks.measuring import ROOT, machine

def sandbox(arguments):
    """Measures the sandbox alone."""
    parser = argparse.ArgumentParser(prog="ci/bench sandbox", description="What one run in the sandbox costs.")
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--level", help="isolation level; the best one that can be had without it")
    arguments = parser.parse_args(arguments)
    where = machine()
    command = ["cargo", "run", "--quiet", "--release", "--locked", "--package=judge-sandbox", "--example=overhead", "--"]
    command += [str(arguments.runs), *([arguments.level] if arguments.level else [])]
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False, text=True)
    if result.returncode != 0:
        sys.exit("ci/bench: the sandbox's benchmark failed")
    print(f"Date: {datetime.date.today().isoformat()}. Machine: {where}.")
    print(f"{arguments.runs} runs hot, {arguments.runs // 4} with pauses.\n\n{result.stdout}", end="")
    return 0
