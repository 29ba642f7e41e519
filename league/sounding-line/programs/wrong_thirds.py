# Throws away a third at a time, at two soundings each: too many of them in a long channel.
def depth(mark):
    print("?", mark, flush=True)
    return int(input())


low, high = 1, int(input())
while high - low > 2:
    third = (high - low) // 3
    left, right = low + third, high - third
    if depth(left) < depth(right):
        low = left + 1
    else:
        high = right
depths = {mark: depth(mark) for mark in range(low, high + 1)}
print("!", max(depths, key=depths.get), flush=True)
