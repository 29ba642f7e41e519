import heapq
import sys


def main() -> None:
    # First how long a flight cannot be avoided, then the quickest journey without longer ones.
    data = list(map(int, sys.stdin.buffer.read().split()))
    n = data[0]
    near = [[] for _ in range(n + 1)]
    for a, b, w in zip(data[2::3], data[3::3], data[4::3]):
        near[a].append((w, b))
        near[b].append((w, a))

    longest, seen, queue = 0, [False] * (n + 1), [(0, 1)]
    while queue:
        w, a = heapq.heappop(queue)
        if seen[a]:
            continue
        seen[a] = True
        longest = max(longest, w)
        if a == n:
            break
        for route in near[a]:
            if not seen[route[1]]:
                heapq.heappush(queue, route)
    else:
        print(-1)
        return

    best, queue = {1: 0}, [(0, 1)]
    while queue:
        time, a = heapq.heappop(queue)
        if a == n:
            print(longest, time)
            return
        if time > best[a]:
            continue
        for w, b in near[a]:
            if w <= longest and (b not in best or time + w < best[b]):
                best[b] = time + w
                heapq.heappush(queue, (time + w, b))


main()
