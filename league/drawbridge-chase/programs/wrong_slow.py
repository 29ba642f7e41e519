# Right, but goes through all positions once for every possible length of the chase.
import sys

words = sys.stdin.read().split()
n, m, p, s, c, e = map(int, words[:6])
exits = {int(word) - 1 for word in words[6 : 6 + e]}
ways = [[{at} for at in range(n)] for _ in range(p)]
for u, v, pattern in zip(*(words[6 + e + at :: 3] for at in range(3))):
    for r in range(p):
        if pattern[r] == "1":
            ways[r][int(u) - 1].add(int(v) - 1)
            ways[r][int(v) - 1].add(int(u) - 1)
known = {}
positions = [(a, b, r, turn) for a in range(n) for b in range(n) for r in range(p) for turn in (0, 1)]
for a, b, r, turn in positions:
    if a == b or a in exits:
        known[a, b, r, turn] = (int(a == b), 0)
for length in range(1, len(positions) + 1):
    new = {}
    for place in positions:
        if place not in known:
            a, b, r, turn = place
            ends = [known.get((a, to, (r + 1) % p, 0) if turn else (to, b, r, 1)) for to in ways[r][b if turn else a]]
            if any(end and end[0] == turn for end in ends):
                new[place] = (turn, length)
            elif all(ends):
                new[place] = (1 - turn, length)
    known.update(new)
end = known.get((s - 1, c - 1, 0, 0))
print(f"{('smuggler', 'pilot')[end[0]]} {end[1]}" if end else "forever")
