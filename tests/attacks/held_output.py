import os
import time

a, b = map(int, input().split())
print(a + b, flush=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(0)
