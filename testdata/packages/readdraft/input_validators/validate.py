import re, sys
ok = re.fullmatch(r"-?\d+ -?\d+\n", sys.stdin.read())
sys.exit(42 if ok else 43)
