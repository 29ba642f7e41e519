# Takes a square as high as the water for dry.
import sys


def main():
    words = sys.stdin.read().split()
    r, c, p, k = map(int, words[:4])
    levels = list(map(int, words[4 : 4 + p]))
    heights = [int(digit) for row in words[4 + p :] for digit in row]
    goal = r * c - 1
    near = []
    for at in range(r * c):
        y, x = divmod(at, c)
        near.append([at] + [b * c + a for b, a in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)) if 0 <= b < r and 0 <= a < c])
    start = 1 if heights[0] < levels[0] else 0  # how many minutes in a row were wet
    if start > k:
        print(-1)
        return
    # With fewer wet minutes behind him he can do at least as much; so only the fewest of a minute and square matter.
    fewest = [[9] * (r * c) for _ in range(p)]
    fewest[0][0] = start
    now, minute = {0: start}, 0
    while now:
        if goal in now:
            print(minute)
            return
        minute += 1
        level, best, then = levels[minute % p], fewest[minute % p], {}
        for at, wet in now.items():
            for there in near[at]:
                if heights[there] >= level:
                    after = 0
                elif wet and there != at:
                    continue
                else:
                    after = wet + 1
                if after <= k and after < best[there]:
                    best[there] = after
                    then[there] = after
        now = then
    print(-1)


main()
