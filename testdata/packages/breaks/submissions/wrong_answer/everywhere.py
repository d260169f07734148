number = int(input())
print("none" if number > 10 else number)
