import os

for number in range(20000):
    try:
        os.mkdir(f"/box/work/{number}")
    except OSError:
        break
os.execv("/bin/true", ["true"])
