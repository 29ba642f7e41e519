# Tells three pots by two weighings, again and again.
n, w = map(int, input().split())


def weigh(places):
    row = ["-"] * n
    for at, side in places:
        if at < n:
            row[at] = side
    print("? " + "".join(row), flush=True)
    return int(input())


word = ""
for at in range(0, n, 3):
    plus = weigh([(at, "L"), (at + 1, "L"), (at + 2, "L")])
    minus = weigh([(at, "L"), (at + 1, "R")]) if n - at > 1 else plus
    if n - at == 1:
        word += str(plus)
        break
    new = (plus + minus) % 2
    word += f"{(plus + minus - new) // 2}{(plus - minus - new) // 2}{new}"
print("! " + word[:n], flush=True)
