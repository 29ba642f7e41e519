import sys
a, b = map(int, input().split())
sys.stdout.write(f"{a + b}\0\n")
