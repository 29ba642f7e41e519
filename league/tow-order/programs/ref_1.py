import sys


def main() -> None:
    count, rules, *numbers = map(int, sys.stdin.read().split())
    after = [[] for _ in range(count + 1)]
    blocked = [0] * (count + 1)
    for a, b in zip(numbers[::2], numbers[1::2]):
        after[a].append(b)
        blocked[b] += 1
    order = [barge for barge in range(1, count + 1) if not blocked[barge]]
    for barge in order:
        for other in after[barge]:
            blocked[other] -= 1
            if not blocked[other]:
                order.append(other)
    print(*order) if len(order) == count else print("stuck")


main()
