"""Wrong: the second run only knows the word of the first."""

number = 1
task = input()
word = input()
if task == "send":
    number = int(word)
    print("word")
else:
    print(number)
