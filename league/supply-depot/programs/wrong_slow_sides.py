# Right, but counts the crates on one side of each ferry line by walking over all islands there.
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
count = data[0]
needs = [0, *data[1 : count + 1]]
joined = [[] for _ in range(count + 1)]
for i in range(count + 1, 4 * count - 2, 3):
    here, there, length = data[i : i + 3]
    joined[here].append((there, length))
    joined[there].append((here, length))


def side(start, above):
    """The crates for the islands on the far side of the line from `above` to `start`."""
    crates, todo = 0, [(start, above)]
    while todo:
        here, came = todo.pop()
        crates += needs[here]
        todo += [(there, here) for there, _ in joined[here] if there != came]
    return crates


total, effort, order = sum(needs), [0] * (count + 1), [(1, 0)]
steps = {}
for here, above in order:
    for there, length in joined[here]:
        if there != above:
            order.append((there, here))
            behind = total - side(here, there)
            steps[there] = (here, behind, length)
            effort[1] += behind * length
for there, (here, behind, length) in steps.items():
    effort[there] = effort[here] + (total - 2 * behind) * length
best = min(range(1, count + 1), key=lambda island: (effort[island], island))
print(effort[best], best)
