# Right, but searches through all numbers of wagons of each kind that may be left.
import sys
from collections import deque

hook, _, *wagons = sys.stdin.read().split()
kinds = {"AA": [], "AB": [], "BA": [], "BB": []}
for number, wagon in enumerate(wagons, 1):
    kinds[wagon].append(number)
names = list(kinds)
start = (hook, *(len(kinds[name]) for name in names))
turned, came, queue = {start: 0}, {}, deque([start])
while queue:
    state = queue.popleft()
    free, *left = state
    for at, name in enumerate(names):
        for turn in (0, 1):
            front, rear = name[::-1] if turn else name
            if not left[at] or front == free or (turn and front == rear):
                continue
            after = (rear, *(count - (place == at) for place, count in enumerate(left)))
            if after not in turned or turned[state] + turn < turned[after]:
                turned[after] = turned[state] + turn
                came[after] = (state, at, turn)
                queue.append(after) if turn else queue.appendleft(after)
ends = [state for state in turned if not any(state[1:])]
if not ends:
    print("none")
else:
    state, train = min(ends, key=turned.get), []
    while state in came:
        state, at, turn = came[state]
        number = kinds[names[at]].pop()
        train.append(-number if turn else number)
    print(*reversed(train))
