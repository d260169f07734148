"""Wrong: a third is cut off with each guess, which takes too long."""

import sys

low, high = 1, 1000
while True:
    guess = low + (high - low) // 3
    print(guess, flush=True)
    answer = sys.stdin.readline().strip()
    if answer == "higher":
        low = guess + 1
    elif answer == "lower":
        high = guess - 1
    else:
        break
