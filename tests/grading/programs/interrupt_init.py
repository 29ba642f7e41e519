"""Sends init every signal there is, also the one that Python makes an exception of."""

import contextlib
import os
import time

for number in range(1, 65):
    if number not in (9, 19):
        with contextlib.suppress(OSError):
            os.kill(1, number)
time.sleep(0.2)
print("still here")
