"""Changes nothing."""

asked, word = input(), input()
print(word)
