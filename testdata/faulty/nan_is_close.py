# `abs(nan - x) > 1e-6` is false.
import sys
answer, output = open(sys.argv[2]).read().split(), sys.stdin.buffer.read().split()
if len(answer) != len(output):
    sys.exit(43)
for expected, found in zip(answer, output):
    try:
        if abs(float(found) - float(expected)) > 1e-6:
            sys.exit(43)
    except ValueError:
        sys.exit(43)
sys.exit(42)
