from itertools import accumulate
from operator import mul, truediv


def main() -> None:
    count, barge = map(int, input().split())
    weights, places = zip(*(map(int, input().split()) for _ in range(count)))
    totals = accumulate(weights, initial=barge)
    moments = accumulate(map(mul, weights, places), initial=0)
    points = list(map(truediv, moments, totals))
    print(f"{max(max(points), -min(points)):.9f}")


main()
