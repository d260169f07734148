number = int(input())
print(number if number == 1 else 100)
