"""Half of the score for the number off by one; a broken score for a number off by two."""
import sys

answer = int(open(sys.argv[2]).read())
off = abs(int(sys.stdin.read()) - answer)
if off > 2:
    sys.exit(43)
if off == 1:
    open(sys.argv[3] + "score_multiplier.txt", "w").write("0.5")
if off == 2:
    open(sys.argv[3] + "score_multiplier.txt", "w").write("2")
sys.exit(42)
