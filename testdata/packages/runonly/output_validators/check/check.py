import sys

from expected import expected

sys.exit(42 if sys.stdin.read().split() == expected(sys.argv[2]) else 43)
