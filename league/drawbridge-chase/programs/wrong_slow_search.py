# Right, but looks ahead from the start, move by move, and forgets what it has seen.
import sys

sys.setrecursionlimit(10**6)
words = sys.stdin.read().split()
n, m, p, s, c, e = map(int, words[:6])
exits = {int(word) - 1 for word in words[6 : 6 + e]}
ways = [[{at} for at in range(n)] for _ in range(p)]
for u, v, pattern in zip(*(words[6 + e + at :: 3] for at in range(3))):
    for r in range(p):
        if pattern[r] == "1":
            ways[r][int(u) - 1].add(int(v) - 1)
            ways[r][int(v) - 1].add(int(u) - 1)


def look(a, b, r, turn, left):
    if a == b or a in exits:
        return int(a == b)
    if not left:
        return None
    ends = [look(a, to, (r + 1) % p, 0, left - 1) if turn else look(to, b, r, 1, left - 1) for to in ways[r][b if turn else a]]
    if turn in ends:
        return turn
    return 1 - turn if all(end == 1 - turn for end in ends) else None


for left in range(2 * n * n * p + 1):
    end = look(s - 1, c - 1, 0, 0, left)
    if end is not None:
        print(("smuggler", "pilot")[end], left)
        break
else:
    print("forever")
