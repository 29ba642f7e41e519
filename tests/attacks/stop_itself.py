import os
import signal

print(sum(map(int, input().split())), flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
