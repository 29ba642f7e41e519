# Accepted exactly when nothing but the three standard streams was handed down.
import os

found = []
for fd in range(1024):
    try:
        os.fstat(fd)
        found.append(fd)
    except OSError:
        pass
print("three" if found == [0, 1, 2] else found)
