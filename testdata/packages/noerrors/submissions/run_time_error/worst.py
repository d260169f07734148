number = int(input())
assert number != 3
print("none" if number == 2 else number)
