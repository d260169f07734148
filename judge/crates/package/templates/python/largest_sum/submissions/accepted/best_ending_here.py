"""Computes the largest sum that ends at each place: the sum that ends before it is extended if it is positive."""

input()
numbers = list(map(int, input().split()))
best = ending_here = numbers[0]
for number in numbers[1:]:
    ending_here = number + max(ending_here, 0)
    best = max(best, ending_here)
print(best)
