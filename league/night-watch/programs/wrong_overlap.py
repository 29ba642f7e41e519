# Wants the next keeper to come before the last one leaves; meeting is not enough.
count, begin, end = map(int, input().split())
keepers = sorted(tuple(map(int, input().split())) for _ in range(count))
chosen, reached, best, i = 0, begin, begin, 0
while reached < end:
    while i < count and (keepers[i][0] < reached or keepers[i][0] <= begin):
        best = max(best, keepers[i][1])
        i += 1
    if best == reached:
        break
    chosen, reached = chosen + 1, best
print(chosen if reached >= end else f"-1 {reached}")
