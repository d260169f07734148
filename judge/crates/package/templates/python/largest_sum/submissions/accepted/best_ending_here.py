"""For each place the largest sum that ends there: what ends before it is continued when that is worth something."""

input()
numbers = list(map(int, input().split()))
best = ending_here = numbers[0]
for number in numbers[1:]:
    ending_here = number + max(ending_here, 0)
    best = max(best, ending_here)
print(best)
