"""Tries every beginning and every end."""

n = int(input())
numbers = list(map(int, input().split()))
best = numbers[0]
for begin in range(n):
    total = 0
    for number in numbers[begin:]:
        total += number
        best = max(best, total)
print(best)
