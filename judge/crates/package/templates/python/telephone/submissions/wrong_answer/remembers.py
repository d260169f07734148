"""Wrong: expects the second run to remember the number, but it receives only the word."""

number = 1
task = input()
word = input()
if task == "send":
    number = int(word)
    print("word")
else:
    print(number)
