# Takes the first barrel for an ordinary one without looking at another.
n, asked = int(input()), 0


def weigh(l, r):
    print("?", l, r, flush=True)
    return int(input())


def true_weight(l, r):
    global asked
    asked += 1
    return weigh(l, r) - (asked + 1) * drift


one = weigh(1, 1)
drift = weigh(1, 1) - one
two = one
if one != two:
    low = 1 if one > two else 2
else:
    low, high = 2, n
    while low < high:
        middle = (low + high) // 2
        if true_weight(low, middle) > one * (middle - low + 1):
            high = middle
        else:
            low = middle + 1
print("!", low, flush=True)
