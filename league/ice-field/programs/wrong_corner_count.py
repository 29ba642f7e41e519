# Takes a turned corner for one that joins three neighbours, as on an edge.
import sys


def chart(h, w, k):
    """A chart whose first squares, row by row, change like a chessboard, while the rest is of one kind.

    All squares of the chessboard part are regions of their own, but for those of the rest's kind that touch it.
    """
    board = [[(y + x) % 2 for x in range(w)] for y in range(h)]
    for size in range(h * w + 1):
        y, x = divmod(size, w)
        for kind in (0, 1):
            if size == h * w:
                regions = size
            else:
                touching = sum(1 for c in range(x, w) if y and board[y - 1][c] == kind)
                if y + 1 < h:
                    touching += sum(1 for c in range(x) if board[y][c] == kind)
                elif x:
                    touching += board[y][x - 1] == kind
                regions = size + 1 - touching
            # Turning a corner of the chessboard part joins it with its neighbours.
            wide = y >= 3 and w >= 3
            for turned, fewer in (([], 0), ([0], 3), ([2], 3), ([0, w - 1], 4), ([0, 3], 5)):
                if fewer and (not wide or turned[-1] >= w or (turned[-1] == w - 1) != (fewer == 4) or (fewer == 4 and w < 5)):
                    continue
                if fewer == 5 and w < 6:
                    continue
                if regions - fewer == k:
                    for c in turned:
                        board[0][c] ^= 1
                    return [[board[b][c] if b * w + c < size else kind for c in range(w)] for b in range(h)]
    return None


def main():
    h, w, k = map(int, sys.stdin.read().split())
    found = None
    if k <= h * w and (k != h * w - 1 or min(h, w) == 1):
        # A narrower chart will do if it can hold as many regions: its last column is drawn again and again.
        sizes = [(h, width) for width in range(1, w + 1)] + [(height, w) for height in range(1, h)]
        for rows, columns in sizes:
            if k <= rows * columns and (k != rows * columns - 1 or min(rows, columns) == 1):
                found = chart(rows, columns, k)
                if found is None:
                    turned = chart(columns, rows, k)
                    found = turned and [list(row) for row in zip(*turned)]
                if found:
                    found = [row + row[-1:] * (w - columns) for row in found]
                    found += found[-1:] * (h - rows)
                    break
    print("\n".join("".join(".#"[square] for square in row) for row in found) if found else "impossible")


main()
