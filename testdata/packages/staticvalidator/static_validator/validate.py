import os
import sys

# Every byte of the submission beyond the bound costs a tenth of the score.
language, entry_point, feedback, bound = sys.argv[1:]
assert language in ("python3", "c"), language
assert sorted(os.listdir(".")) == sorted([entry_point] + (["main"] if language == "c" else [])), os.listdir(".")
length = os.path.getsize(entry_point)
if length > int(bound) + 10:
    sys.exit(43)
with open(feedback + "score_multiplier.txt", "w") as score:
    score.write(str(1 - max(0, length - int(bound)) / 10))
sys.exit(42)
