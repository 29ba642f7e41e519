# Keeps the store sorted by length alone: of equal pieces it takes the one that came back first.
from bisect import bisect_left

input()
store = sorted((int(length), number) for number, length in enumerate(input().split(), 1))
lengths = [length for length, _ in store]
numbers = [number for _, number in store]
served = []
for order in map(int, input().split()):
    place = bisect_left(lengths, order)
    if place == len(lengths):
        served.append(0)
        continue
    rest, number = lengths.pop(place) - order, numbers.pop(place)
    served.append(number)
    if rest:
        back = bisect_left(lengths, rest)
        lengths.insert(back, rest)
        numbers.insert(back, number)
print(*served)
