"""Awards twice the maximum score."""
import sys

open(sys.argv[3] + "score.txt", "w").write("61")
sys.exit(42)
