# Rounds halves of negative numbers towards zero.
def plan(rows):
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
    if len(dials) == 1:
        return dials
    plus, minus = dials[::2], dials[1::2]
    new = [(p + m) % 2 for p, m in zip(plus, minus)]
    a = read([(p + m - z) // 2 for p, m, z in zip(plus, minus, new)])
    b = read([int((p - m) / 2) for p, m in zip(plus, minus)])
    return a + b + new


def main():
    _, weighings = map(int, input().split())
    dials = []
    for row in plan(weighings):
        print("? " + "".join("-LR"[place] for place in row), flush=True)
        dials.append(int(input()))
    print("! " + "".join(map(str, read(dials))), flush=True)


main()
