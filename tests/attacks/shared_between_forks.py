import mmap
import os
import time

for _ in range(12):
    if os.fork() == 0:
        held = mmap.mmap(-1, 60 << 20)
        for at in range(0, len(held), 4096):
            held[at] = 1
        time.sleep(1000)
time.sleep(1000)
