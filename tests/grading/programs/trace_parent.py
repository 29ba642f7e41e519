# ruff: noqa: PTH123
# Accepted exactly when neither init nor the program itself can be traced or read.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
attach, traceme = libc.ptrace(16, 1, 0, 0), libc.ptrace(0, 0, 0, 0)
try:
    open("/proc/1/mem", "rb").close()
    read = True
except OSError:
    read = False
print("refused" if attach < 0 and traceme < 0 and not read else "traced")
