# Right, but goes through all keepers for every one it asks.
count, begin, end = map(int, input().split())
keepers = [tuple(map(int, input().split())) for _ in range(count)]
chosen, reached = 0, begin
while reached < end:
    best = reached
    for come, leave in keepers:
        if come <= reached and leave > best:
            best = leave
    if best == reached:
        break
    chosen, reached = chosen + 1, best
print(chosen if reached >= end else f"-1 {reached}")
