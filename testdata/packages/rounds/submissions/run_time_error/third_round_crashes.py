"""Crashes in the last round only."""

one = int(input())
assert one < 3
print("more", flush=True)
print(one + int(input()))
