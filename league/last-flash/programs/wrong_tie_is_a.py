# Counts minutes at which both flashed last together, where A is the slower lamp.
import sys


def floor_sum(n, m, a, b):
    """The sum of (a * j + b) // m over 0 <= j < n, for a, b >= 0."""
    total = 0
    while n > 0:
        total += (n - 1) * n // 2 * (a // m) + n * (b // m)
        a, b = a % m, b % m
        top = a * n + b
        if top < m:
            break
        n, b, m, a = top // m, top % m, a, m
    return total


def rests(n, m, a, b):
    """The sum of (a * j + b) % m over 0 <= j < n."""
    a, b = a % m, b % m
    return a * (n * (n - 1) // 2) + n * b - m * floor_sum(n, m, a, b)


def count(p, a, r, b, x):
    """How many of the minutes 0 to x get an A."""
    if x < p:
        return 0
    total = x - p + 1
    if a <= b:
        # From each flash y >= p of B on, up to the next flash of A after it, the minutes are no A's.
        first = r if r >= p else r + (p - r + b - 1) // b * b
        if first > x:
            return total
        number = (x - first) // b + 1
        lost = number * a - rests(number, a, b, first - p)
        last = first + (number - 1) * b
        lost -= max(0, last + a - (last - p) % a - 1 - x)
        return total - lost
    # From each flash y of A on, the minutes before the next flash of B at y or later are A's.
    good, first = 0, p
    if p < r:
        good = min(r - 1, x) - p + 1
        first = p + (r - p + a - 1) // a * a
        if x < r:
            return good
    if first > x:
        return good
    number = (x - first) // a + 1
    good += number * b - rests(number, b, a % b, (first - r) % b)
    last = first + (number - 1) * a
    return good - max(0, last + b - (last - r) % b - 1 - x)


def main():
    data = list(map(int, sys.stdin.read().split()))
    for p, a, r, b, s, t in zip(*(data[1 + at :: 6] for at in range(6))):
        print(count(p, a, r, b, t) - count(p, a, r, b, s - 1))


main()
