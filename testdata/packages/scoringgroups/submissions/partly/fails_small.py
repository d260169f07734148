number = input()
print("none" if number == "1" else number)
