# Right, but begins again at minute 0 for every customer.
import sys

n, b, t, c, *data = map(int, sys.stdin.read().split())
arrivals, wants, patience = data[::3], data[1::3], data[2::3]


def until(customer):
    """When the customer is served, when he leaves, and what the gulls had by then."""
    queue, here, shelf, gulls, minute = [], 0, 0, 0, 0
    while True:
        if minute and minute % t == 0:
            gulls += max(0, shelf + b - c)
            shelf = min(c, shelf + b)
        while here < n and arrivals[here] == minute:
            queue.append(here)
            here += 1
        for turn in range(2):
            while queue and wants[queue[0]] <= shelf:
                shelf -= wants[queue[0]]
                if queue.pop(0) == customer:
                    return minute, minute, gulls
            if turn:
                break
            stay = [i for i in queue if arrivals[i] + patience[i] != minute]
            if customer in queue and customer not in stay:
                return -1, minute, gulls
            if len(stay) == len(queue):
                break
            queue = stay
        minute += 1


found = [until(customer) for customer in range(n)]
print(*(when for when, _, _ in found))
print(max((left, gulls) for _, left, gulls in found)[1])
