"""Is wrong in the last round only."""

one = int(input())
print("more", flush=True)
print(min(22, one + int(input())))
