import os
import time

read, write = os.pipe()
for _ in range(6):
    if os.fork() == 0:
        while time.process_time() < 1.7:
            pass
        os._exit(0)
os.close(write)
os.read(read, 1)
print(sum(map(int, input().split())))
