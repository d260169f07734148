# The working directory contains no other files, and none of them is writable.
import os

name = input()
expected = [name] if "/" not in name else []
assert sorted(os.listdir(".")) == sorted({"deep"} | set(expected)), os.listdir(".")
for attempt in [lambda: open(name, "a"), lambda: open("new", "w"), lambda: os.remove(name)]:
    try:
        attempt()
    except OSError:
        continue
    raise SystemExit(1)
print(open(name).read())
