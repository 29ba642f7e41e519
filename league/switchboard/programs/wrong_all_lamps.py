# Names all lamps that have to change as a proof.
import sys


def main():
    lines = sys.stdin.read().split("\n")
    n, m = map(int, lines[0].split())
    # One equation for each lamp: its switches, whether it changes, and of which lamps' equations it is the sum.
    switches = [0] * n
    for number, line in enumerate(lines[2 : m + 2]):
        for word in line.split()[1:]:
            switches[int(word) - 1] |= 1 << number
    wanted, proof = 1 << m, m + 1
    rows = [row | (wanted if lines[1][lamp] == "1" else 0) | 1 << proof + lamp for lamp, row in enumerate(switches)]
    settled = []
    for number in range(m):
        bit = 1 << number
        at = next((at for at, row in enumerate(rows) if row & bit), -1)
        if at < 0:
            continue
        pivot = rows.pop(at)
        rows = [row ^ pivot if row & bit else row for row in rows]
        settled = [(other, row ^ pivot if row & bit else row) for other, row in settled]
        settled.append((number, pivot))
    for row in rows:
        if row & wanted:
            lamps = [lamp + 1 for lamp in range(n) if lines[1][lamp] == "1"]
            print("stuck", len(lamps), *lamps)
            return
    pressed = [number + 1 for number, row in settled if row & wanted]
    print("press", len(pressed), *pressed)


main()
