# Stops with two marks left and takes the first of them: wrong where the deepest is the last.
def depth(mark):
    print("?", mark, flush=True)
    return int(input())


low, high = 1, int(input())
while high - low > 1:
    middle = (low + high) // 2
    if depth(middle) < depth(middle + 1):
        low = middle + 1
    else:
        high = middle
print("!", low, flush=True)
