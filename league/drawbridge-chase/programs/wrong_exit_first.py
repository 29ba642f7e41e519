# Lets the smuggler escape from an exit on which the pilot waits.
import sys
from collections import deque


def main():
    words = sys.stdin.read().split()
    n, m, p, s, c, e = map(int, words[:6])
    exits = {int(word) - 1 for word in words[6 : 6 + e]}
    ways = [[{at} for at in range(n)] for _ in range(p)]
    for u, v, pattern in zip(*(words[6 + e + at :: 3] for at in range(3))):
        for minute in range(p):
            if pattern[minute] == "1":
                ways[minute][int(u) - 1].add(int(v) - 1)
                ways[minute][int(v) - 1].add(int(u) - 1)

    # A position is the smuggler's island, the pilot's, the round modulo p, and whose turn it is (0: the smuggler's).
    def number(a, b, minute, turn):
        return ((a * n + b) * p + minute) * 2 + turn

    size = n * n * p * 2
    winner, moves, left = [-1] * size, [0] * size, [0] * size
    queue = deque()
    for a in range(n):
        for b in range(n):
            for minute in range(p):
                left[number(a, b, minute, 0)] = len(ways[minute][a])
                left[number(a, b, minute, 1)] = len(ways[minute][b])
                if a == b or a in exits:
                    for turn in (0, 1):
                        at = number(a, b, minute, turn)
                        winner[at] = 0 if a in exits else 1
                        queue.append((a, b, minute, turn))
    while queue:
        a, b, minute, turn = queue.popleft()
        at = number(a, b, minute, turn)
        if turn:
            before = [number(other, b, minute, 0) for other in ways[minute][a]]
            places = [(other, b, minute, 0) for other in ways[minute][a]]
        else:
            last = (minute - 1) % p
            before = [number(a, other, last, 1) for other in ways[last][b]]
            places = [(a, other, last, 1) for other in ways[last][b]]
        mover = 1 - turn
        for old, place in zip(before, places):
            if winner[old] >= 0:
                continue
            left[old] -= 1
            if winner[at] == mover or not left[old]:
                winner[old] = winner[at]
                moves[old] = moves[at] + 1
                queue.append(place)
    start = number(s - 1, c - 1, 0, 0)
    print(f"{('smuggler', 'pilot')[winner[start]]} {moves[start]}" if winner[start] >= 0 else "forever")


main()
