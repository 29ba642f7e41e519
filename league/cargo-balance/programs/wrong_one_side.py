# Looks for the greatest balance point, so one towards the bow is never far.
count, total = map(int, input().split())
moment, worst = 0, 0.0
for _ in range(count):
    weight, place = map(int, input().split())
    total += weight
    moment += weight * place
    worst = max(worst, moment / total)
print(worst)
