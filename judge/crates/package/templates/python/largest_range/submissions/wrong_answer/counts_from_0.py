"""Wrong: counts positions from 0."""

n = int(input())
numbers = list(map(int, input().split()))
best = (numbers[0], 0, 0)
for first in range(n):
    total = 0
    for last in range(first, n):
        total += numbers[last]
        best = max(best, (total, first, last))
print(best[0])
print(*best[1:])
