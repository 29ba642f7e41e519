# Right, but switches lights off one after the other and looks at the whole shore each time.
import sys

m, n, *numbers = map(int, sys.stdin.buffer.read().split())
arcs = list(zip(numbers[::2], numbers[1::2]))


def lit(lights):
    spans = []
    for light in lights:
        start, size = arcs[light]
        spans.append((start, start + size))
        if start + size > m:
            spans.append((0, start + size - m))
    reach = 0
    for start, end in sorted(spans):
        if start > reach:
            return False
        reach = max(reach, end)
    return reach >= m


lights = list(range(n))
if not lit(lights):
    print("dark")
else:
    for light in range(n):
        fewer = [each for each in lights if each != light]
        if lit(fewer):
            lights = fewer
    print(len(lights))
    print(*[light + 1 for light in lights])
