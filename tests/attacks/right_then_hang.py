import os
import time
a, b = map(int, input().split())
print(a + b, flush=True)
os.close(1)
os.close(2)
time.sleep(1000)
