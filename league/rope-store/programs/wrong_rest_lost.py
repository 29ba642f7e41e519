# Throws the rest of a piece away.
from bisect import bisect_left

input()
store = sorted((int(length), number) for number, length in enumerate(input().split(), 1))
served = []
for order in map(int, input().split()):
    place = bisect_left(store, (order, 0))
    served.append(store.pop(place)[1] if place < len(store) else 0)
print(*served)
