# Right, but looks at every customer in every minute.
import sys

n, b, t, c, *data = map(int, sys.stdin.read().split())
arrivals, wants, patience = data[::3], data[1::3], data[2::3]
served, gone = [-1] * n, [False] * n
shelf = gulls = minute = 0


def serve():
    global shelf
    while True:
        waiting = [i for i in range(n) if not gone[i] and arrivals[i] <= minute]
        if not waiting or wants[waiting[0]] > shelf:
            return
        shelf -= wants[waiting[0]]
        served[waiting[0]], gone[waiting[0]] = minute, True


while not all(gone):
    if minute and minute % t == 0:
        gulls += max(0, shelf + b - c)
        shelf = min(c, shelf + b)
    serve()
    left = False
    for i in range(n):
        if not gone[i] and arrivals[i] + patience[i] == minute:
            gone[i] = left = True
    if left:
        serve()
    minute += 1
print(*served)
print(gulls)
