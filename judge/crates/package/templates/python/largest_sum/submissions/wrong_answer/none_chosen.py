"""Wrong: allows the empty sum 0, although at least one number must be chosen."""

input()
best = ending_here = 0
for number in map(int, input().split()):
    ending_here = max(0, ending_here + number)
    best = max(best, ending_here)
print(best)
