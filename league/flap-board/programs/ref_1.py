import sys
from string import ascii_uppercase, digits

FLAPS = "_" + ascii_uppercase + digits
words = sys.stdin.read().split()
r, c, n = map(int, words[:3])
texts, rows = words[3 : 3 + n], list(map(int, words[4 + n :]))
waiting = iter(texts[r:])
board = (texts + ["_" * c] * r)[:r]
for row in rows:
    after = board[: row - 1] + board[row:] + [next(waiting, "_" * c)]
    turns = [(FLAPS.index(new) - FLAPS.index(old)) % 37 for a, b in zip(board, after) for old, new in zip(a, b)]
    print(max(turns), sum(turns))
    board = after
