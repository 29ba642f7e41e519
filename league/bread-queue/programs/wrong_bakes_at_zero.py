# Bakes at minute 0 as well.
import sys


def main():
    n, b, t, c, *data = map(int, sys.stdin.read().split())
    arrivals, wants, patience = data[::3], data[1::3], data[2::3]
    served = [-1] * n
    ends = {a + p for a, p in zip(arrivals, patience)}
    queue, here, shelf, gulls, minute = [], 0, 0, 0, 0

    def serve():
        nonlocal shelf
        count = 0
        while count < len(queue) and wants[queue[count]] <= shelf:
            shelf -= wants[queue[count]]
            served[queue[count]] = minute
            count += 1
        del queue[:count]

    while here < n or queue:
        if minute % t == 0:
            shelf += b
            if shelf > c:
                gulls += shelf - c
                shelf = c
        while here < n and arrivals[here] == minute:
            queue.append(here)
            here += 1
        if queue:
            serve()
            stay = [i for i in queue if arrivals[i] + patience[i] != minute] if minute in ends else queue
            if len(stay) < len(queue):
                queue[:] = stay
                serve()
        minute += 1
    print(*served)
    print(gulls)


main()
