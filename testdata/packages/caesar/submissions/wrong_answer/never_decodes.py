"""Shifts in the same direction both times."""

asked, word = input(), input()
print("".join(chr((ord(letter) - 97 + 1) % 26 + 97) for letter in word))
