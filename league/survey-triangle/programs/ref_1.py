from math import gcd, isqrt


def solve(area):
    # The sides (m, 1), (c, d) and their difference are free of marks only where not all of them are even somewhere:
    # modulo 2 they have to be the three vectors other than 0, so that the area is odd.
    if area % 2 == 0:
        return "none"
    m = isqrt(area)
    while True:
        d = (area + m - 1) // m
        c = m * d - area
        if gcd(c, d) == 1 and gcd(m - c, d - 1) == 1:
            return f"0 0 {m} 1 {c} {d}"
        m += 1


for _ in range(int(input())):
    print(solve(int(input())))
