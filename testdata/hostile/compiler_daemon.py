import os
import time

if os.fork() == 0:
    try:
        os.setsid()
    except OSError:
        pass
    if os.fork() == 0:
        for fd in range(3):
            os.close(fd)
        time.sleep(20)
    os._exit(0)
os.wait()
with os.fdopen(os.open("main", os.O_WRONLY | os.O_CREAT, 0o755), "w") as program:
    program.write("#!/bin/sh\necho done\n")
