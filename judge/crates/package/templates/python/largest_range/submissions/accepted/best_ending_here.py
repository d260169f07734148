"""Computes the largest sum that ends at each place: the sum that ends before it is extended if it is positive."""

input()
numbers = list(map(int, input().split()))
best = (numbers[0], 1, 1)
ending_here, first = 0, 1
for last, number in enumerate(numbers, 1):
    if ending_here < 0:
        ending_here, first = 0, last
    ending_here += number
    if ending_here > best[0]:
        best = (ending_here, first, last)
print(best[0])
print(*best[1:])
