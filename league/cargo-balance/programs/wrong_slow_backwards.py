# Right, but takes the containers off one by one and adds up what is left after each.
import sys

count, barge, *rest = map(int, sys.stdin.read().split())
containers = list(zip(rest[::2], rest[1::2]))
worst = 0.0
while containers:
    moment = sum(weight * place for weight, place in containers)
    total = barge + sum(weight for weight, _ in containers)
    worst = max(worst, abs(moment) / total)
    containers = containers[:-1]
print(worst)
