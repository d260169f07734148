import os
import socket
import sys

answers = []
for name in ("@SECRET@", "/etc/shadow", "/judge/answer"):
    answers.append(os.path.exists(name))
try:
    socket.create_connection(("1.1.1.1", 80), 1)
    answers.append(True)
except OSError:
    answers.append(False)
for name in (sys.path[0] + "/hostile", "/usr/hostile", "/etc/hostile"):
    try:
        open(name, "w").close()
        answers.append(True)
    except OSError:
        answers.append(False)
with os.fdopen(os.open("main", os.O_WRONLY | os.O_CREAT, 0o755), "w") as program:
    program.write(f"#!/bin/sh\necho {answers}\n")
