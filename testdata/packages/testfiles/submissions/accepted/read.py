print(open(input()).read())
