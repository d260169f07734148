import sys
sys.exit(42 if not sys.stdin.read() else 43)
