"""Asks for the second number, and adds."""

one = int(input())
print("more", flush=True)
print(one + int(input()))
