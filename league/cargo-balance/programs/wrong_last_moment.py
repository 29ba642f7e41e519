# Looks at the barge when the loading is over, not on the way.
count, total = map(int, input().split())
moment = 0
for _ in range(count):
    weight, place = map(int, input().split())
    total += weight
    moment += weight * place
print(abs(moment) / total)
