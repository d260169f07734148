number = int(input())
print("none" if number > 20 else number)
