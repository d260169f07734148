"""Writes the number with 26 digits, `a` to `z`."""

task = input()
word = input()
if task == "send":
    number = int(word)
    letters = ""
    for _ in range(5):
        number, digit = divmod(number, 26)
        letters = chr(ord("a") + digit) + letters
    print(letters)
else:
    number = 0
    for letter in word:
        number = number * 26 + ord(letter) - ord("a")
    print(number)
