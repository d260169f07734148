#!/usr/bin/env python3
"""Accepts only a number that can be guessed.

Exit code 42 accepts, 43 rejects.
"""

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


# Bytes, because reading text would hide other line breaks. Every line ends with one, including the last.
lines = sys.stdin.buffer.read().split(b"\n")
if len(lines) != 2 or lines[1]:
    reject("expected exactly one line")
integer("x", lines[0], 1, 1000)
sys.exit(42)
