# Takes the first piece that is long enough, not the shortest.
input()
pieces = list(map(int, input().split()))
served = []
for order in map(int, input().split()):
    number = next((i for i, length in enumerate(pieces) if length >= order), -1)
    if number >= 0:
        pieces[number] -= order
    served.append(number + 1)
print(*served)
