# Reads with `input()`, which raises an exception at the end of the output.
import sys
sys.stdin.reconfigure(errors="replace")
answer, output = open(sys.argv[2]).read().split(), input().split()
sys.exit(42 if output == answer and not sys.stdin.read().split() else 43)
