# `zip` ends with the shorter one.
import sys
answer, output = open(sys.argv[2], "rb").read().split(), sys.stdin.buffer.read().split()
sys.exit(42 if all(one == other for one, other in zip(answer, output)) else 43)
