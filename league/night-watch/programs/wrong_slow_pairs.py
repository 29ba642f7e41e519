# Right, but finds for every keeper how few have to come before him, by looking at all who came earlier.
count, begin, end = map(int, input().split())
keepers = sorted(tuple(map(int, input().split())) for _ in range(count))
fewest, reached = [], begin
for at, (come, leave) in enumerate(keepers):
    number = None
    if come <= begin:
        number = 1 if leave > begin else None
    else:
        for before in range(at):
            if fewest[before] is not None and come <= keepers[before][1]:
                if number is None or fewest[before] + 1 < number:
                    number = fewest[before] + 1
    fewest.append(number)
    if number is not None:
        reached = max(reached, leave)
if reached < end:
    print(-1, reached)
else:
    print(min(few for few, (_, leave) in zip(fewest, keepers) if few is not None and leave >= end))
