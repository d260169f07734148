"""Wrong: too few decimals."""

n = int(input())
print(f"{sum(map(int, input().split())) / n:.2f}")
