# Right, but looks through the whole store for every order.
input()
pieces = list(map(int, input().split()))
served = []
for order in map(int, input().split()):
    best = -1
    for number, length in enumerate(pieces):
        if length >= order and (best < 0 or length < pieces[best]):
            best = number
    if best >= 0:
        pieces[best] -= order
    served.append(best + 1)
print(*served)
