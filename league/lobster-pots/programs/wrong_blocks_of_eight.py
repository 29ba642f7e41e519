# Uses the plan for eight pots again and again.
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
    b = read([(p - m - z) // 2 for p, m, z in zip(plus, minus, new)])
    return a + b + new


def main():
    n, weighings = map(int, input().split())
    rows = min(4, weighings)
    word = ""
    for at in range(0, n, len(plan(rows)[0])):
        dials = []
        for row in plan(rows):
            places = "".join("-LR"[place] for place in row)
            print("? " + ("-" * at + places + "-" * n)[:n], flush=True)
            dials.append(int(input()))
        word += "".join(map(str, read(dials)))
    print("! " + word[:n], flush=True)


main()
