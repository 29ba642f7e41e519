# Looks at the first cut of each kind of gap only.
import sys
from math import gcd


def first_hit(a, m, low, high):
    """The least x >= 0 with low <= a x mod m <= high, or None; 0 <= low <= high < m."""
    if low == 0:
        return 0
    a %= m
    if a == 0:
        return None
    x = -(-low // a)
    if a * x <= high:
        return x
    # No multiple of a lies in the interval: m y + low <= a x <= m y + high for the least y.
    y = first_hit(m % a, a, -high % a, -low % a)
    return None if y is None else -(-(low + m * y) // a)


def first(a, b, m, low, length, start):
    """The least x >= start at which (a x + b) mod m lies in the `length` places from `low` on."""
    low = (low - b - a * start) % m
    if low + length > m:
        return start
    return start + first_hit(a, m, low, low + length - 1)


def closest(a, m, last):
    """The x from 1 to `last` with the least a x mod m, and the one with the greatest; 0 < last < m."""
    # Two places close to 0, from above and from below; in turn each comes closer by steps of the other's size.
    up, down = 1, 1
    above, below = a, m - a
    if last == 1:
        return up, down
    while True:
        if above > below:
            steps = min((above - 1) // below, (last - up) // down)
            if steps == 0:
                return up, down
            up, above = up + steps * down, above - steps * below
        elif below > above:
            steps = min((below - 1) // above, (last - down) // up)
            if steps == 0:
                return up, down
            down, below = down + steps * up, below - steps * above
        else:
            return up, down


def minutes(a, m, b, k):
    """When the listener has heard all patterns of k minutes."""
    g = gcd(a, m)
    a, m, b = a // g, m // g, b // g % (m // g)
    cuts = min(k, m - 1)
    # The water left at the start of a pattern decides it. Patterns change at the cuts -j a mod m, 0 <= j <= cuts.
    up, down = closest(m - a, m, cuts)
    above, below = (m - a) * up % m, a * down % m
    worst = 0
    # By the theorem of three gaps: the first and last cut of a kind, and how far the next cut is.
    for lo, hi, length in ((0, cuts - up, above), (cuts - up + 1, down - 1, above + below), (down, cuts, below)):
        if lo > hi:
            continue
        # The gap after cut j is met at i = x - j for the first x >= j with (a x + b) mod m < length.
        worst = max(worst, first(a, b, m, 0, length, lo) - lo)
        if length == 1:
            ways = [(m, 0, 1)]
        else:
            # Time to come back, and from which places: a step up, a step down, or both.
            u = 1 + first(a, a, m, 1, length - 1, 0)
            d = 1 + first(m - a, m - a, m, 1, length - 1, 0)
            rise, fall = a * u % m, m - a * d % m
            ways = [(u, 0, length - rise), (d, fall, length - fall), (u + d, length - rise, fall - (length - rise))]
        for time, low, size in ways:
            pass
    return worst + k


def main():
    rows = [[int(word) for word in line.split()] for line in sys.stdin]
    for a, m, b, k in rows[1:]:
        print(minutes(a, m, b, k))


main()
