# ruff: noqa: PTH208
# Accepted exactly when it sees no process but itself and its init, and can signal nothing else.
import os

seen = [int(name) for name in os.listdir("/proc") if name.isdigit()]
reached = []
for pid in range(3, 3000):
    try:
        os.kill(pid, 0)
        reached.append(pid)
    except OSError:
        pass
print("alone" if (sorted(seen), reached, os.getpid(), os.getppid()) == ([1, 2], [], 2, 1) else "company")
