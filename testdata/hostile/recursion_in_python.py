import sys

sys.setrecursionlimit(10**9)
depth = 0


def deeper():
    global depth
    depth += 1
    if depth < 3_000_000:
        deeper()


deeper()
