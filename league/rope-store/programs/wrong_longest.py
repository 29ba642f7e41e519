# Takes the longest piece.
import heapq


def main() -> None:
    input()
    store = [(-int(length), number) for number, length in enumerate(input().split(), 1)]
    heapq.heapify(store)
    served = []
    for order in map(int, input().split()):
        length, number = store[0]
        if -length < order:
            served.append(0)
            continue
        served.append(number)
        heapq.heapreplace(store, (length + order, number))
    print(*served)


main()
