"""Wrong: the sum is right, but the first position is always 1."""

input()
numbers = list(map(int, input().split()))
best = (numbers[0], 1)
ending_here = numbers[0]
for last, number in enumerate(numbers[1:], 2):
    ending_here = number + max(ending_here, 0)
    if ending_here > best[0]:
        best = (ending_here, last)
print(best[0])
print(1, best[1])
