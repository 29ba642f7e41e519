def depth(mark):
    print("?", mark, flush=True)
    return int(input())


low, high = 1, int(input())
while low < high:
    middle = (low + high) // 2
    if depth(middle) < depth(middle + 1):
        low = middle + 1
    else:
        high = middle
print("!", low, flush=True)
