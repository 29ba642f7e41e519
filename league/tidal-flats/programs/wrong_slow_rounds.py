# Right, but goes through all squares in every minute until the largest possible one, with sets of ways to be there.
import sys

words = sys.stdin.read().split()
r, c, p, k = map(int, words[:4])
levels, grid = list(map(int, words[4 : 4 + p])), words[4 + p :]
run = int(int(grid[0][0]) <= levels[0])
here = {(0, 0, run)} if run <= k else set()
answer = -1
for minute in range(r * c * p * (k + 1) + 1):
    then = set()
    for y, x, run in here:
        if answer < 0 and (y, x) == (r - 1, c - 1):
            answer = minute
        for b, a in ((y, x), (y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
            if 0 <= b < r and 0 <= a < c:
                wet = int(grid[b][a]) <= levels[(minute + 1) % p]
                if not wet:
                    then.add((b, a, 0))
                elif run < k and (not run or (b, a) == (y, x)):
                    then.add((b, a, run + 1))
    here = then
print(answer)
