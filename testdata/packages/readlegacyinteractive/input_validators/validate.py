import sys
try:
    sys.exit(42 if 1 <= int(sys.stdin.read()) <= 100 else 43)
except ValueError:
    sys.exit(43)
