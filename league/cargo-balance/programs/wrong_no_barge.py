# Forgets the weight of the barge itself.
count, barge = map(int, input().split())
total = moment = 0
worst = 0.0
for _ in range(count):
    weight, place = map(int, input().split())
    total += weight
    moment += weight * place
    worst = max(worst, abs(moment / total))
print(worst)
