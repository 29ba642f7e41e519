# As the warden, makes fast any bridge that joins two islands not yet joined, the one with the fewest others beside it first.
def forest_path(forest, ends, a, b):
    """The bridges of a forest between two islands, or None."""
    at = {}
    for e in forest:
        u, v = ends[e]
        at.setdefault(u, []).append((v, e))
        at.setdefault(v, []).append((u, e))
    by, queue = {a: None}, [a]
    for u in queue:
        if u == b:
            break
        for v, e in at.get(u, ()):
            if v not in by:
                by[v] = (u, e)
                queue.append(v)
    if b not in by:
        return None
    path = []
    while by[b]:
        b, e = by[b]
        path.append(e)
    return path


def pack(ends):
    """Two forests with as many bridges together as possible, and all bridges that can be left out of them."""
    forests, owner, loose = [set(), set()], {}, set()
    for start in ends:
        before, queue = {start: None}, [start]
        found = False
        for e in queue:
            for tree in (0, 1):
                if owner.get(e) == tree:
                    continue
                path = forest_path(forests[tree], ends, *ends[e])
                if path is None:
                    while e is not None:
                        old = owner.get(e)
                        if old is not None:
                            forests[old].discard(e)
                        forests[tree].add(e)
                        owner[e] = tree
                        e, tree = before[e], old
                    found = True
                    break
                for f in path:
                    if f not in before:
                        before[f] = e
                        queue.append(f)
            if found:
                break
        if not found:
            loose.update(before)
    return forests, loose


def storm(n, ends, loose):
    # The loose bridges hold together parts of the archipelago. Between k parts there are at most 2k - 3 bridges, of
    # which the warden, who is second, gets at most k - 2.
    part = {island: island for island in range(1, n + 1)}
    for e in loose:
        u, v = part[ends[e][0]], part[ends[e][1]]
        part = {island: v if where == u else where for island, where in part.items()}
    free = {e for e, (u, v) in ends.items() if part[u] != part[v]}
    while True:
        print(free.pop(), flush=True)
        answer = int(input())
        if answer == 0:
            return
        free.discard(answer)


def warden(ends, trees):
    # Both trees span the islands and share the fast bridges alone.
    fast, free = set(), set(ends)
    while True:
        gone = int(input())
        if gone == 0:
            return
        free.discard(gone)
        count = {u: sum(u in ends[e] for e in free) for pair in ends.values() for u in pair}
        free = {e for e in free if forest_path(fast, ends, *ends[e]) is None}
        choice = min(free, key=lambda e: min(count[u] for u in ends[e]))
        free.discard(choice)
        fast.add(choice)
        print(choice, flush=True)


def main():
    n, m = map(int, input().split())
    ends = {e: tuple(map(int, input().split())) for e in range(1, m + 1)}
    trees, loose = pack(ends)
    if len(trees[0]) + len(trees[1]) == 2 * (n - 1):
        print("warden", flush=True)
        warden(ends, trees)
    else:
        print("storm", flush=True)
        storm(n, ends, loose)


main()
