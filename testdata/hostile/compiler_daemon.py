import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in range(3):
            os.close(fd)
        time.sleep(20)
    os._exit(0)
os.wait()
with open("/box/work/main", "w") as program:
    program.write("#!/bin/sh\necho done\n")
os.chmod("/box/work/main", 0o755)
