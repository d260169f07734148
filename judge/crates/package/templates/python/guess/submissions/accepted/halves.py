"""Halves the possible numbers with each guess."""

low, high = 1, 1000
while True:
    guess = (low + high) // 2
    print(guess, flush=True)  # What is not flushed may be heard by nobody.
    answer = input()
    if answer == "correct":
        break
    if answer == "higher":
        low = guess + 1
    else:
        high = guess - 1
