from itertools import combinations


def small(n):
    """Some half of the crates 1 to n, by trying."""
    total, squares = n * (n + 1) // 4, n * (n + 1) * (2 * n + 1) // 12
    for size in range(n // 3, n):
        for side in combinations(range(1, n + 1), size):
            if sum(side) == total and sum(each * each for each in side) == squares:
                return list(side)
    raise ValueError(n)


n = int(input())
if n % 4 not in (0, 3) or n < 7:
    print("none")
else:
    # Any eight neighbours balance: the places 0, 3, 5 and 6 against 1, 2, 4 and 7.
    first = n % 8 + (0 if n % 8 in (0, 7) else 8)
    side = small(first) if first else []
    for start in range(first + 1, n, 8):
        side += [start, start + 3, start + 5, start + 6]
    print(len(side))
    print(*side)
