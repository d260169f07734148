"""Wrong: guesses one number after the other."""

import sys

for guess in range(1, 1001):
    print(guess, flush=True)
    if sys.stdin.readline().strip() not in ("higher", "lower"):
        break
