import os

for _ in range(3000):
    os.mkdir("hostile")
    os.chdir("hostile")
