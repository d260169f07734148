"""Wrong: divides integers."""

n = int(input())
print(sum(map(int, input().split())) // n)
