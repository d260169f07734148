# `split(" ")` finds an empty word after a blank at the end of a line.
import sys
def words(text):
    return [line.split(b" ") for line in text.strip(b"\n").split(b"\n")]
sys.exit(42 if words(sys.stdin.buffer.read()) == words(open(sys.argv[2], "rb").read()) else 43)
