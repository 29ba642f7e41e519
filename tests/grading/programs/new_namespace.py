# Accepted exactly when no way leads to a new user namespace: unshare, clone, clone3.
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
NEWUSER = 0x10000000
CLONE = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
ways = [libc.unshare(NEWUSER), libc.syscall(CLONE, NEWUSER | 17, 0, 0, 0, 0), libc.syscall(435, 0, 88)]
if 0 in ways[1:]:
    os._exit(0)
print("refused" if all(way < 0 for way in ways) else "made")
