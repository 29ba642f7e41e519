# Takes every keeper who comes in time and stays longer than the last, not only the one who stays longest.
count, begin, end = map(int, input().split())
keepers = sorted(tuple(map(int, input().split())) for _ in range(count))
chosen, reached = 0, begin
for come, leave in keepers:
    if reached >= end:
        break
    if come <= reached < leave:
        chosen, reached = chosen + 1, leave
print(chosen if reached >= end else f"-1 {reached}")
