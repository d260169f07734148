print(3
