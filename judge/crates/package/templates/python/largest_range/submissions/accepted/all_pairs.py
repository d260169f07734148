"""Tries every beginning and every end."""

n = int(input())
numbers = list(map(int, input().split()))
best = (numbers[0], 1, 1)
for first in range(n):
    total = 0
    for last in range(first, n):
        total += numbers[last]
        best = max(best, (total, first + 1, last + 1))
print(best[0])
print(*best[1:])
