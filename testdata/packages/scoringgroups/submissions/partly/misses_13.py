number = input()
print("none" if number == "13" else number)
