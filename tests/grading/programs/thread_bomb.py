# Starts threads until it is refused, then answers: right exactly when there is a limit.
import threading
import time

started = 0
try:
    for _ in range(2000):
        threading.Thread(target=time.sleep, args=(0.5,), daemon=True).start()
        started += 1
except RuntimeError:
    pass
print("limited" if started < 200 else started)
