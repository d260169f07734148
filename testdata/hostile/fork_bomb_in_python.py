import os
import time

end = time.monotonic() + 60
for _ in range(7):
    try:
        os.fork()
    except OSError:
        pass
while time.monotonic() < end:
    pass
