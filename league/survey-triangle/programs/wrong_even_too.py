# Searches for even areas too, not far, and leaves a side with marks.
from math import gcd, isqrt


def solve(area):
    # The sides (m, 1), (c, d) and their difference are free of marks only where not all of them are even somewhere:
    # modulo 2 they have to be the three vectors other than 0, so that the area is odd.
    m = isqrt(area)
    while True:
        d = (area + m - 1) // m
        c = m * d - area
        if gcd(c, d) == 1 and gcd(m - c, d - 1) <= 2 - area % 2:
            return f"0 0 {m} 1 {c} {d}"
        m += 1


for _ in range(int(input())):
    print(solve(int(input())))
