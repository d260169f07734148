"""Wrong: the second run knows nothing of the first but its word."""

number = 1
task = input()
word = input()
if task == "send":
    number = int(word)
    print("word")
else:
    print(number)
