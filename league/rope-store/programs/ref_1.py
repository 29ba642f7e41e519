from bisect import bisect_left, insort


def main() -> None:
    pieces, _ = map(int, input().split())
    base = pieces + 1
    # Length and number in one integer: sorted by length, then by number.
    store = sorted(int(length) * base + number for number, length in enumerate(input().split(), 1))
    served = []
    for order in map(int, input().split()):
        place = bisect_left(store, order * base)
        if place == len(store):
            served.append(0)
            continue
        length, number = divmod(store.pop(place), base)
        served.append(number)
        if length > order:
            insort(store, (length - order) * base + number)
    print(*served)


main()
