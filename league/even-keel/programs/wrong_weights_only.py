# Balances the weights, four neighbours at a time, and forgets the squares.
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
    side = [3] if n % 4 else []
    for start in range(n % 4 + 1, n, 4):
        side += [start, start + 3]
    print(len(side))
    print(*side)
