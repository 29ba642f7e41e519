def plan(rows):
    """Weighings that tell everything, by the places of the pots in each: 1, -1 or 0.

    Of a plan for N pots with Q weighings one for 2 N + Q pots with 2 Q weighings is made: a weighing with pots a and
    one new pot z is done with other pots b added, and again with b on the other side and without z.
    """
    if rows == 1:
        return [[1]]
    half = plan(rows // 2)
    both = []
    for at, row in enumerate(half):
        new = [0] * len(half)
        new[at] = 1
        both.append(row + row + new)
        both.append(row + [-place for place in row] + [0] * len(half))
    return both


def read(dials):
    """The pots from what the dial showed in each weighing of a plan."""
    if len(dials) == 1:
        return dials
    plus, minus = dials[::2], dials[1::2]
    new = [(p + m) % 2 for p, m in zip(plus, minus)]
    a = read([(p + m - z) // 2 for p, m, z in zip(plus, minus, new)])
    b = read([(p - m - z) // 2 for p, m, z in zip(plus, minus, new)])
    return a + b + new


def main():
    _, weighings = map(int, input().split())
    dials = []
    for row in plan(weighings):
        print("? " + "".join("-LR"[place] for place in row), flush=True)
        dials.append(int(input()))
    print("! " + "".join(map(str, read(dials))), flush=True)


main()
