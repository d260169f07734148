#!/usr/bin/env python3
"""Accepts only inputs that follow the statement.

usage: validate.py [--most N]

N is the maximum number of numbers: test groups can set a smaller one (`input_validator_args`).
Exit code 42 accepts, 43 rejects.
"""

import argparse
import re
import sys


def reject(why):
    print(why, file=sys.stderr)
    sys.exit(43)


def integer(name, word, low, high):
    """An integer from low to high, without leading zeros, and with no sign except -."""
    if not re.fullmatch(rb"0|-?[1-9][0-9]{0,17}", word):
        reject(f"{name} is not written as an integer is: {word[:20]!r}")
    if not low <= int(word) <= high:
        reject(f"{name} is out of range: {int(word)}")
    return int(word)


parser = argparse.ArgumentParser()
parser.add_argument("--most", type=int, default=100)
args = parser.parse_args()

# Bytes, because reading text would hide other line breaks. Every line ends with one, including the last.
lines = sys.stdin.buffer.read().split(b"\n")
if len(lines) != 3 or lines[2]:
    reject("expected exactly two lines")
n = integer("n", lines[0], 1, args.most)
words = lines[1].split(b" ")
if len(words) != n:
    reject(f"expected {n} numbers with one space between them, found {len(words)} words")
for word in words:
    integer("a", word, -(10**9), 10**9)
sys.exit(42)
