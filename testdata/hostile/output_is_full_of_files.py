import os

for number in range(20000):
    try:
        os.mkdir(str(number))
    except OSError:
        break
os.execv("/bin/true", ["true"])
