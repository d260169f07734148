import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while time.process_time() < 5:
            pass
    os._exit(0)
time.sleep(60)
