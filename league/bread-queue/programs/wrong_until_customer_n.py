# Counts the gulls' loaves until customer n leaves, though others may still be in the queue.
import sys

n, b, t, c, *rest = map(int, sys.stdin.read().split())
customers = [(number, *rest[3 * number : 3 * number + 3]) for number in range(n)]
coming, queue = customers[::-1], []
served, shelf, gulls, shown, minute = ["-1"] * n, 0, 0, 0, 0


def serve():
    global shelf
    while queue and queue[0][2] <= shelf:
        number, _, wish, _ = queue.pop(0)
        shelf -= wish
        served[number] = str(minute)


while coming or queue:
    if minute and minute % t == 0:
        gulls += max(0, shelf + b - c)
        shelf = min(c, shelf + b)
    while coming and coming[-1][1] == minute:
        queue.append(coming.pop())
    there = bool(coming) or customers[-1] in queue[-1:]
    serve()
    if any(arrival + patience == minute for _, arrival, _, patience in queue):
        queue[:] = [each for each in queue if each[1] + each[3] != minute]
        serve()
    if there:
        shown = gulls
    minute += 1
print(*served)
print(shown)
