import os
chunk = bytes(1 << 16)
for _ in range(1 << 12):
    os.write(2, chunk)
print(sum(map(int, input().split())))
