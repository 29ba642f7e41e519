# ruff: noqa: PTH123, PTH108, SIM105
# Writes until it is refused; accepted when that happens well before a gigabyte and a hundred thousand files.
import os

written = files = 0
try:
    for number in range(64):
        with open(f"big{number}", "wb") as file:
            for _ in range(16):
                written += file.write(b"1" * (1 << 20))
except OSError:
    pass
for number in range(64):
    try:
        os.unlink(f"big{number}")
    except OSError:
        pass
try:
    for number in range(100_000):
        open(f"small{number}", "w").close()
        files += 1
except OSError:
    pass
print("limited" if written < 1 << 29 and files < 50_000 else (written, files))
