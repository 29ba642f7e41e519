# Fills the first ferry until it holds half of the weight and never looks one car back.
n, room = map(int, input().split())
weights = list(map(int, input().split()))
total, loaded = sum(weights), 0
if n > 2 * room:
    print(-1)
else:
    for k in range(1, n):
        loaded += weights[k - 1]
        enough = 2 * loaded >= total and n - k <= room
        if enough or k == min(room, n - 1):
            print(k, abs(total - 2 * loaded))
            break
