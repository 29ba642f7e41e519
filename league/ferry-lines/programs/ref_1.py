import random
import sys

PRIME = (1 << 61) - 1


def rank(rows):
    """The rank of a matrix over the integers modulo PRIME."""
    count = 0
    for column in range(len(rows)):
        at = next((i for i in range(count, len(rows)) if rows[i][column]), None)
        if at is None:
            continue
        rows[count], rows[at] = rows[at], rows[count]
        pivot = rows[count]
        inverse = pow(pivot[column], -1, PRIME)
        for i in range(count + 1, len(rows)):
            if rows[i][column]:
                factor = rows[i][column] * inverse % PRIME
                rows[i] = [(a - factor * b) % PRIME for a, b in zip(rows[i], pivot)]
        count += 1
    return count


def fewest_lines(islands, lines):
    # Opened one after another, a useful line joins two parts into one, or three. If t lines join three,
    # islands - 1 - t lines are opened, so that t is to be the size of a largest forest of lines with three islands.
    # A line u, v, w is the pair of vectors u - v and u - w; a forest is a set of pairs that are independent
    # together. By Lovasz the size of a largest one is half the rank of the sum of x (b c' - c b') with random x.
    top = list(range(islands))

    def find(i):
        while top[i] != i:
            top[i] = top[top[i]]
            i = top[i]
        return i

    for line in lines:
        for island in line[1:]:
            top[find(island)] = find(line[0])
    if len({find(i) for i in range(islands)}) > 1:
        return -1
    rng = random.Random(2_718)
    matrix = [[0] * islands for _ in range(islands)]
    for line in lines:
        if len(line) == 3:
            u, v, w = line
            x = rng.randrange(1, PRIME)
            # (u - v) ^ (u - w) = - u ^ w - v ^ u + v ^ w
            for i, j in ((w, u), (u, v), (v, w)):
                matrix[i][j] = (matrix[i][j] + x) % PRIME
                matrix[j][i] = (matrix[j][i] - x) % PRIME
    return islands - 1 - rank(matrix) // 2


def main():
    (islands, _), *lines = [[int(word) for word in line.split()] for line in sys.stdin]
    lines = [[island - 1 for island in line] for line in lines]
    print(fewest_lines(islands, lines))


main()
