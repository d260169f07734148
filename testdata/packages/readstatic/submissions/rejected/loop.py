a, b = map(int, input().split())
for _ in range(abs(b)):
    a += 1 if b > 0 else -1
print(a)
