# Goes through the lamps once and presses, for each that is wrong, a switch whose first lamp it is.
import sys

lines = sys.stdin.read().split("\n")
n, m = map(int, lines[0].split())
change = {lamp for lamp, sign in enumerate(lines[1], 1) if sign == "1"}
switches = [{int(word) for word in line.split()[1:]} for line in lines[2 : m + 2]]
pressed = set()
for lamp in range(1, n + 1):
    if lamp in change:
        for number, lamps in enumerate(switches, 1):
            if lamps and min(lamps) == lamp and number not in pressed:
                pressed.add(number)
                change ^= lamps
                break
if change:
    print("stuck", len(change), *change)
else:
    print("press", len(pressed), *pressed)
