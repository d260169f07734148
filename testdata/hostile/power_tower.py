print(len(str(9**9**9 % 10)))
