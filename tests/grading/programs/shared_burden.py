# Each process stays below the memory limit; together they are far above it.
import os
import time

for _ in range(8):
    if os.fork() == 0:
        held = b"1" * (60 << 20)
        time.sleep(3)
        os._exit(len(held) & 0)
time.sleep(3)
print("done")
