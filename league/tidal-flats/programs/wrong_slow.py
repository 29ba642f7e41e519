# Right, but tries all ways of each length, one after the other.
import sys

sys.setrecursionlimit(10**5)
words = sys.stdin.read().split()
r, c, p, k = map(int, words[:4])
levels, grid = list(map(int, words[4 : 4 + p])), words[4 + p :]


def reach(y, x, minute, run, left):
    if (y, x) == (r - 1, c - 1):
        return True
    if not left or r - 1 - y + c - 1 - x > left:
        return False
    for b, a in ((y, x), (y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
        if 0 <= b < r and 0 <= a < c:
            wet = int(grid[b][a]) <= levels[(minute + 1) % p]
            if wet and (run == k or run and (b, a) != (y, x)):
                continue
            if reach(b, a, minute + 1, run + 1 if wet else 0, left - 1):
                return True
    return False


run, answer = int(int(grid[0][0]) <= levels[0]), -1
if run <= k:
    for length in range(r * c * p * (k + 1) + 1):
        if reach(0, 0, 0, run, length):
            answer = length
            break
print(answer)
