# Switches every light on.
import sys

numbers = list(map(int, sys.stdin.buffer.read().split()))
print(numbers[1])
print(*range(1, numbers[1] + 1))
