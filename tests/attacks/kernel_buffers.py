import os
import socket

kept = []
try:
    while True:
        read, write = os.pipe()
        os.set_blocking(write, False)
        kept += [read, write]
        os.write(write, bytes(1 << 16))
except OSError:
    pass
for end in kept:
    os.close(end)
print(sum(map(int, input().split())))
