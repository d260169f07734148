# `int` reads numbers with leading zeros, signs, underscores and blanks around them.
import sys
lines = sys.stdin.buffer.readlines()
try:
    sys.exit(42 if len(lines) == 1 and 0 <= int(lines[0]) <= 99 else 43)
except ValueError:
    sys.exit(43)
