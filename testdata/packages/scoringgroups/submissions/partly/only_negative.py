number = int(input())
print(number if number < 0 else "none")
