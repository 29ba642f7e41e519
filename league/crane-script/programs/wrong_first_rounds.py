# Looks at the first four rounds of a block only, and so misses how it drifts.
import sys

# A path is where it leads to (x, y), how many quarters it turns to the right, and its box: the lowest and the
# highest x and y. It starts at (0, 0) and looks north.
NOTHING = (0, 0, 0, 0, 0, 0, 0)


def turned(x, y, quarters):
    for _ in range(quarters):
        x, y = y, -x
    return x, y


def joined(one, two):
    """First the one path, then the other."""
    x, y, turn, *box = one
    a, b = turned(two[0], two[1], turn)
    p, q = turned(two[3], two[5], turn)
    r, s = turned(two[4], two[6], turn)
    return (
        x + a,
        y + b,
        (turn + two[2]) % 4,
        min(box[0], x + p, x + r),
        max(box[1], x + p, x + r),
        min(box[2], y + q, y + s),
        max(box[3], y + q, y + s),
    )


def repeated(path, times):
    result = NOTHING
    if times > 8:
        far = repeated(path, 4 + times % 4)
        if path[2]:
            return far
        return (path[0] * times, path[1] * times, 0, *far[3:])
    while times:
        if times & 1:
            result = joined(result, path)
        path = joined(path, path)
        times >>= 1
    return result


def main():
    stack = [(1, NOTHING)]
    for word in sys.stdin.read().split():
        if word.endswith("["):
            stack.append((int(word[:-1]), NOTHING))
            continue
        if word == "]":
            times, path = stack.pop()
            path = repeated(path, times)
        elif word in "LR":
            path = (0, 0, 3 if word == "L" else 1, 0, 0, 0, 0)
        else:
            path = (0, int(word[1:]), 0, 0, 0, 0, int(word[1:]))
        times, before = stack.pop()
        stack.append((times, joined(before, path)))
    x, y, turn, *box = stack[0][1]
    print(*box)
    print(x, y, "NESW"[turn])


main()
