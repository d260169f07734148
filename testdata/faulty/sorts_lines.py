# Sorts the lines of both, although their order matters.
import sys
def lines(text):
    return sorted(line.split() for line in text.strip().splitlines())
sys.exit(42 if lines(sys.stdin.buffer.read()) == lines(open(sys.argv[2], "rb").read()) else 43)
