print(open("a.txt").read())
