import os
import time

for _ in range(6):
    if os.fork() == 0:
        end = time.monotonic() + 1.7
        while time.monotonic() < end:
            pass
        os._exit(0)
time.sleep(1.8)
print(sum(map(int, input().split())))
