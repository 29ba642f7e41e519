# Believes that the depot is on an island that needs crates.
import sys


def main() -> None:
    data = list(map(int, sys.stdin.buffer.read().split()))
    count = data[0]
    needs = [0, *data[1 : count + 1]]
    joined: list[list[tuple[int, int]]] = [[] for _ in range(count + 1)]
    for i in range(count + 1, 4 * count - 2, 3):
        here, there, length = data[i : i + 3]
        joined[here].append((there, length))
        joined[there].append((here, length))

    above, far, order = [0] * (count + 1), [0] * (count + 1), [1]
    for here in order:
        for there, length in joined[here]:
            if there != above[here]:
                above[there], far[there] = here, length
                order.append(there)

    below = needs[:]  # crates for the island and everything behind it, seen from island 1
    effort = [0] * (count + 1)
    for here in reversed(order[1:]):
        below[above[here]] += below[here]
        effort[1] += below[here] * far[here]
    for here in order[1:]:
        # One step towards the island: what lies behind it comes nearer, everything else goes farther away.
        effort[here] = effort[above[here]] + (below[1] - 2 * below[here]) * far[here]
    served = [island for island in range(1, count + 1) if needs[island]] or [1]
    best = min(served, key=effort.__getitem__)
    print(effort[best], best)


main()
