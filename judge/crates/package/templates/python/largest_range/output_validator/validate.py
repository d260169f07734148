#!/usr/bin/env python3
"""Accepts every choice with the largest sum, not only that of the answer.

usage: validate.py INPUT ANSWER FEEDBACK_DIRECTORY < output

Exit code 42 accepts, 43 rejects; any other means that this program failed.
"""

import re
import sys
from pathlib import Path

numbers = list(map(int, Path(sys.argv[1]).read_text().split()[1:]))
largest = int(Path(sys.argv[2]).read_text().split()[0])
feedback = Path(sys.argv[3])


def reject(why):
    (feedback / "judgemessage.txt").write_text(why + "\n")
    sys.exit(43)


words = sys.stdin.buffer.read(1000).split()
if len(words) != 3:
    reject(f"expected the sum and two positions, found {len(words)} words")
for word in words:
    if not re.fullmatch(rb"0|-?[1-9][0-9]{0,17}", word):
        reject(f"not written as an integer is: {word[:20]!r}")
claimed, first, last = map(int, words)
if not 1 <= first <= last <= len(numbers):
    reject(f"{first} and {last} are not the first and the last position of chosen numbers")
found = sum(numbers[first - 1 : last])
if claimed != found:
    reject(f"the numbers from {first} to {last} have the sum {found}, not {claimed}")
if found > largest:
    sys.exit(f"the submission found the sum {found}, and the answer only {largest}")
if found < largest:
    reject(f"the sum {found} is not the largest, which is {largest}")
sys.exit(42)
