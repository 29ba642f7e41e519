import sys
a, b = map(int, input().split())
print(a + b, flush=True)
while True:
    sys.stdout.write("\n" * 65536)
