number = int(input())
print(number if number < 20 else "none")
