# Right, but adds everything up again after each container.
count, barge = map(int, input().split())
containers = [tuple(map(int, input().split())) for _ in range(count)]
worst = 0.0
for loaded in range(1, count + 1):
    total, moment = barge, 0
    for weight, place in containers[:loaded]:
        total += weight
        moment += weight * place
    worst = max(worst, abs(moment) / total)
print(worst)
