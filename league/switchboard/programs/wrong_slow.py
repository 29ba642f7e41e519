# Right, but tries all sets of switches, and all sets of lamps.
import sys

lines = sys.stdin.read().split("\n")
n, m = map(int, lines[0].split())
change = sum(1 << lamp for lamp in range(n) if lines[1][lamp] == "1")
switches = [sum(1 << int(word) - 1 for word in line.split()[1:]) for line in lines[2 : m + 2]]
chosen, answer = 0, None
while answer is None and chosen < max(1 << n, 1 << m):
    if chosen < 1 << m:
        lamps = 0
        for number in range(m):
            if chosen >> number & 1:
                lamps ^= switches[number]
        if lamps == change:
            answer = "press"
    if answer is None and chosen < 1 << n and (chosen & change).bit_count() % 2:
        if all((chosen & lamps).bit_count() % 2 == 0 for lamps in switches):
            answer = "stuck"
    if answer is None:
        chosen += 1
numbers = [at + 1 for at in range(max(n, m)) if chosen >> at & 1]
print(answer, len(numbers), *numbers)
