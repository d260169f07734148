"""Asks once and crashes."""

print(2, flush=True)
input()
raise ValueError("enough")
