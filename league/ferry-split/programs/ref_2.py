import sys
from bisect import bisect_left
from itertools import accumulate


def main() -> None:
    # Prefix sums grow, so the best cut lies beside half of the total, pulled into the allowed range.
    data = list(map(int, sys.stdin.read().split()))
    n, room = data[0], data[1]
    sums = list(accumulate(data[2:], initial=0))
    first, last = max(1, n - room), min(n - 1, room)
    if first > last:
        print(-1)
        return
    half = bisect_left(sums, (sums[n] + 1) // 2)
    cuts = {min(max(cut, first), last) for cut in (half - 1, half)}
    gap, k = min((abs(sums[n] - 2 * sums[cut]), cut) for cut in cuts)
    print(k, gap)


main()
