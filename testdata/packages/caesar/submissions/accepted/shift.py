"""Shifts by one."""

asked, word = input(), input()
by = 1 if asked == "encode" else -1
print("".join(chr((ord(letter) - 97 + by) % 26 + 97) for letter in word))
