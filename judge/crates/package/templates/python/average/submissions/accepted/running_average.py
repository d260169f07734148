"""Keeps the average of the numbers read so far."""

input()
average = 0.0
for i, word in enumerate(input().split()):
    average += (int(word) - average) / (i + 1)
print(f"{average:.9f}")
