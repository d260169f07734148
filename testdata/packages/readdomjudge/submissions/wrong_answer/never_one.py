n = int(input())
print(n - 1 if n != 1 else 1)
