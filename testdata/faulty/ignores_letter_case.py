# Ignores letter case, although its arguments say `case_sensitive`.
import sys
answer, output = open(sys.argv[2], "rb").read().split(), sys.stdin.buffer.read().split()
sys.exit(42 if [word.lower() for word in output] == [word.lower() for word in answer] else 43)
