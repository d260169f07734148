number = int(input())
print("none" if number == 3 else number)
