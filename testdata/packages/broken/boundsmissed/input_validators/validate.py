"""Records bounds in the form of BAPCtools."""

import re
import sys

LOW, HIGH = 1, 100

text = sys.stdin.read()
if not re.fullmatch("[1-9][0-9]*\n", text) or not LOW <= int(text) <= HIGH:
    sys.exit(43)
n = int(text)
if "--constraints_file" in sys.argv:
    with open(sys.argv[sys.argv.index("--constraints_file") + 1], "w") as file:
        print("validate.py:13", "n", int(n == LOW), int(n == HIGH), n, n, LOW, HIGH, file=file)
sys.exit(42)
