# Puts half of the cars on each ferry, whatever they weigh.
n, room = map(int, input().split())
weights = list(map(int, input().split()))
if 2 * room < n:
    print(-1)
else:
    print(n // 2, abs(sum(weights[: n // 2]) - sum(weights[n // 2 :])))
