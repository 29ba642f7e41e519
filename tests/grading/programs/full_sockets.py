"""Holds little itself, and much in sockets that nobody reads."""

import os
import socket
import time

for _ in range(7):
    if not os.fork():
        break
pairs = []
try:
    while True:
        pairs.append(socket.socketpair())
except OSError:
    pass
for pair in pairs:
    for end in pair:
        end.setblocking(False)
        try:
            while True:
                end.send(bytes(1 << 16))
        except BlockingIOError:
            pass
time.sleep(1)
print("held")
