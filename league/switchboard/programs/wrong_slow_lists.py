# Right, but adds the equations up number by number.
import sys

lines = sys.stdin.read().split("\n")
n, m = map(int, lines[0].split())
rows = [[0] * m + [int(lines[1][lamp])] + [int(lamp == other) for other in range(n)] for lamp in range(n)]
for number, line in enumerate(lines[2 : m + 2]):
    for word in line.split()[1:]:
        rows[int(word) - 1][number] = 1
done, settled = 0, []
for number in range(m):
    at = next((at for at in range(done, n) if rows[at][number]), -1)
    if at < 0:
        continue
    rows[done], rows[at] = rows[at], rows[done]
    for other in range(n):
        factor = rows[other][number] if other != done else 0
        for column in range(m + 1 + n):
            rows[other][column] = (rows[other][column] + factor * rows[done][column]) % 2
    settled.append(number)
    done += 1
stuck = next((row for row in rows[done:] if row[m]), None)
if stuck:
    lamps = [lamp + 1 for lamp in range(n) if stuck[m + 1 + lamp]]
    print("stuck", len(lamps), *lamps)
else:
    pressed = [number + 1 for at, number in enumerate(settled) if rows[at][m]]
    print("press", len(pressed), *pressed)
