# ruff: noqa: SIM105
# Signals its whole group and its init, and goes on.
import os
import signal

signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.kill(0, signal.SIGTERM)
for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD, signal.SIGUSR1):
    try:
        os.kill(1, number)
    except OSError:
        pass
print("still here")
