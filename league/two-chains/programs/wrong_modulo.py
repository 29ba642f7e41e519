# Leaves multiples of k + 1 on both chains, which is not always possible, or not enough, under the rule.
a, b, k = map(int, input().split())
left, last = [a, b], 0
mine = a % (k + 1) + b % (k + 1) > 0
print("first" if mine else "second", flush=True)
while True:
    if mine:
        moves = [(c, n) for c in (0, 1) for n in range(1, min(k, left[c]) + 1) if n != last]
        good = [(c, n) for c, n in moves if left[c] % (k + 1) == n and left[1 - c] % (k + 1) == 0]
        chain, links = (good or moves or [(0, 1)])[0]
        print(chain + 1, links, flush=True)
    else:
        chain, links = map(int, input().split())
        if not chain:
            break
        chain -= 1
    left[chain] -= links
    last = links
    mine = not mine
