"""Wrong: uses integer division."""

n = int(input())
print(sum(map(int, input().split())) // n)
