#!/usr/bin/env python3
"""For contestants: acts as the judge for a solution, with a number that you choose.

usage: testing_tool.py -f FILE COMMAND [ARGUMENT...]

FILE contains the number, like the input of a sample. COMMAND runs your solution, such as `python3 solution.py`.
The exit code is 0 if your solution finds the number. The judge may answer differently from this program.
"""

import argparse
import re
import subprocess
import sys

GUESSES = 10

parser = argparse.ArgumentParser(description="Plays the judge for a solution.")
parser.add_argument("-f", dest="file", required=True, help="a file with the number to find")
parser.add_argument("command", nargs=argparse.REMAINDER, help="the command that runs your solution")
args = parser.parse_args()
if not args.command:
    parser.error("expected the command that runs your solution")
with open(args.file) as file:
    secret = int(file.read())

solution = subprocess.Popen(args.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def finish(why, is_right=False):
    try:
        solution.stdin.close()
    except BrokenPipeError:
        pass  # It has ended without reading all input.
    if is_right:
        is_right = solution.wait() == 0
        why = why if is_right else f"the solution exited with code {solution.returncode}"
    else:
        solution.kill()
        solution.wait()
    print(why)
    sys.exit(0 if is_right else 1)


def send(answer):
    print("  <", answer)
    try:
        print(answer, file=solution.stdin, flush=True)
    except BrokenPipeError:
        pass  # It has ended, which is correct after the last guess. Otherwise the next read notices it.


for guesses in range(1, GUESSES + 1):
    # If a solution does not flush its output, this program waits forever, and so would the judge.
    line = solution.stdout.readline()
    if not line:
        finish("the solution has ended without another guess")
    print("  >", line.rstrip("\n"))
    if not re.fullmatch("[1-9][0-9]{0,2}|1000", line.strip()):
        finish("no guess from 1 to 1000")
    guess = int(line)
    if guess == secret:
        send("correct")
        if solution.stdout.read().strip():
            finish("the solution continued after the correct guess")
        finish(f"found with {guesses} guesses", is_right=True)
    send("higher" if guess < secret else "lower")
finish(f"not found with {GUESSES} guesses")
