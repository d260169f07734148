number = int(input())
print(2 * number)
