#!/usr/bin/env python3
"""Carries the word from the first run to the second, and judges the number.

usage: validate.py INPUT ANSWER FEEDBACK_DIRECTORY < output

Exit code 42 accepts, 43 rejects; any other means that this program failed. A file `nextpass.in` in the feedback
directory requests another run with that input.
"""

import re
import sys
from pathlib import Path

feedback = Path(sys.argv[3])


def reject(why):
    (feedback / "judgemessage.txt").write_text(why + "\n")
    sys.exit(43)


# The input and the output are those of the last run.
task, given = Path(sys.argv[1]).read_text().split()
words = sys.stdin.buffer.read(1000).split()
if len(words) != 1:
    reject(f"expected one word, found {len(words)}")
word = words[0].decode(errors="replace")

# Files that one run leaves in the feedback directory exist in the next.
sent_file = feedback / "sent"
if task == "send":
    if not re.fullmatch("[a-z]{1,5}", word):
        reject("no word of 1 to 5 lower-case letters")
    sent_file.write_text(given)
    (feedback / "nextpass.in").write_text(f"receive\n{word}\n")
elif word != sent_file.read_text():
    reject(f"{word[:20]} arrived instead of {sent_file.read_text()}")
sys.exit(42)
