# Weighs both halves of what is left, which takes twice as many weighings.
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
two = true_weight(2, 2)
if one != two:
    low = 1 if one > two else 2
else:
    low, high = 3, n
    while low < high:
        middle = (low + high) // 2
        if true_weight(low, middle) - one * (middle - low + 1) > true_weight(middle + 1, high) - one * (high - middle):
            high = middle
        else:
            low = middle + 1
print("!", low, flush=True)
