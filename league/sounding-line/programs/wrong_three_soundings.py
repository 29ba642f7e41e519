# Halves the channel with three soundings at a time: too many of them in a long one.
def depth(mark):
    print("?", mark, flush=True)
    return int(input())


low, high = 1, int(input())
while low < high:
    middle = (low + high) // 2
    before = depth(middle - 1) if middle > low else 0
    here, after = depth(middle), depth(middle + 1)
    if before > here:
        high = middle - 1
    elif after > here:
        low = middle + 1
    else:
        low = high = middle
print("!", low, flush=True)
