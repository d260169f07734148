number = int(input())
print("none" if number in (1, 3) else number)
