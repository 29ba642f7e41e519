# Right, but sorts the whole store again after every order.
input()
store = sorted((int(length), number) for number, length in enumerate(input().split(), 1))
served = []
for order in map(int, input().split()):
    for place, (length, number) in enumerate(store):
        if length >= order:
            break
    else:
        served.append(0)
        continue
    served.append(number)
    store[place] = (length - order, number)
    store.sort()
print(*served)
