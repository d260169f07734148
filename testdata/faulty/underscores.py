# `int` reads `1_000` as 1000.
import sys
answer, output = int(open(sys.argv[2]).read()), sys.stdin.buffer.read().split()
try:
    sys.exit(42 if [int(token) for token in output] == [answer] else 43)
except ValueError:
    sys.exit(43)
