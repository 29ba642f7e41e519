# Asks those with the longest time first, as long as they bring anything new.
count, begin, end = map(int, input().split())
keepers = [tuple(map(int, input().split())) for _ in range(count)]
reached = begin
for come, leave in sorted(keepers):
    if come <= reached:
        reached = max(reached, leave)
if reached < end:
    print(-1, reached)
else:
    open_minutes = set(range(begin, end))
    chosen = 0
    for come, leave in sorted(keepers, key=lambda each: each[0] - each[1]):
        mine = open_minutes.intersection(range(come, leave)) if open_minutes else ()
        if mine:
            chosen += 1
            open_minutes.difference_update(mine)
    print(chosen)
