# Keeps the two chains equally long, as in Nim.
a, b, k = map(int, input().split())
left, last = [a, b], 0
mine = a != b
print("first" if mine else "second", flush=True)
while True:
    if mine:
        moves = [(c, n) for c in (0, 1) for n in range(1, min(k, left[c]) + 1) if n != last]
        chain, links = min(moves or [(0, 1)], key=lambda move: abs(left[move[0]] - move[1] - left[1 - move[0]]))
        print(chain + 1, links, flush=True)
    else:
        chain, links = map(int, input().split())
        if not chain:
            break
        chain -= 1
    left[chain] -= links
    last = links
    mine = not mine
