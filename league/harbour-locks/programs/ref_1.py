import sys


def main() -> None:
    data = list(map(int, sys.stdin.read().split()))
    boats = data[1]
    locks = [(s, t, k, k * t + r) for s, t, k, r in zip(*(data[2 + at :: 4] for at in range(4)))]

    def passed(minute: int) -> int:
        total = 0
        for s, t, k, cycle in locks:
            if s < minute:
                full, rest = divmod(minute - s, cycle)
                total += full * k + min(k, rest // t)
        return total

    low, high = 0, min(s + boats * t + (boats - 1) // k * (cycle - k * t) for s, t, k, cycle in locks)
    while high - low > 1:
        middle = (low + high) // 2
        if passed(middle) >= boats:
            high = middle
        else:
            low = middle
    print(high)


main()
