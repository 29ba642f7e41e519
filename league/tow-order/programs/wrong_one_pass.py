# Puts every barge behind those before it in a single pass over the rules.
import sys


def main() -> None:
    count, rules, *numbers = map(int, sys.stdin.read().split())
    order = list(range(1, count + 1))
    for a, b in zip(numbers[::2], numbers[1::2]):
        if order.index(a) > order.index(b):
            order.remove(b)
            order.insert(order.index(a) + 1, b)
    place = {barge: at for at, barge in enumerate(order)}
    if any(place[a] > place[b] for a, b in zip(numbers[::2], numbers[1::2])):
        print("stuck")
    else:
        print(*order)


main()
