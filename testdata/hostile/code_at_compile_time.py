import os
import socket

answers = []
for name in ("@SECRET@", "/etc/shadow", "/judge/answer"):
    answers.append(os.path.exists(name))
try:
    socket.create_connection(("1.1.1.1", 80), 1)
    answers.append(True)
except OSError:
    answers.append(False)
for name in ("/program/hostile", "/usr/hostile", "/etc/hostile"):
    try:
        open(name, "w").close()
        answers.append(True)
    except OSError:
        answers.append(False)
with open("/box/work/main", "w") as program:
    program.write(f"#!/bin/sh\necho {answers}\n")
os.chmod("/box/work/main", 0o755)
