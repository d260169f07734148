#!/usr/bin/env python3
"""Replies to guesses and judges them: it communicates with the submission over standard input and output.

usage: validate.py INPUT ANSWER FEEDBACK_DIRECTORY

Exit code 42 accepts, 43 rejects; any other means that this program failed.
"""

import os
import re
import sys
from pathlib import Path

GUESSES = 10

secret = int(Path(sys.argv[1]).read_text())
feedback = Path(sys.argv[3])


def finish(exit_code, why):
    (feedback / "judgemessage.txt").write_text(why + "\n")
    sys.exit(exit_code)


def send(answer):
    """Writes immediately: otherwise the submission would wait forever."""
    try:
        os.write(1, f"{answer}\n".encode())
    except BrokenPipeError:
        pass  # The submission has ended; what it said before that decides.


for guesses in range(1, GUESSES + 1):
    word = sys.stdin.buffer.readline(100).strip()
    if not re.fullmatch(rb"[1-9][0-9]{0,2}|1000", word):
        finish(43, f"no guess from 1 to 1000: {word[:20]!r}")
    guess = int(word)
    if guess == secret:
        send("correct")
        if sys.stdin.buffer.read(1000).strip():
            finish(43, "it continued after the correct guess")
        finish(42, f"found with {guesses} guesses")
    send("higher" if guess < secret else "lower")
finish(43, f"not found with {GUESSES} guesses")
