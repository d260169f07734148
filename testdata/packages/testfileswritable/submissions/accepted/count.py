# Every test case finds the file as the package has it.
number = int(open("a.txt").read())
with open("a.txt", "w") as file:
    file.write(str(number + int(input())))
print(open("a.txt").read())
