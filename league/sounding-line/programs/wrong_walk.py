# Walks along the channel until it grows shallower: too many soundings.
n = int(input())


def depth(mark):
    print("?", mark, flush=True)
    return int(input())


mark, here = 1, depth(1)
while mark < n:
    there = depth(mark + 1)
    if there < here:
        break
    mark, here = mark + 1, there
print("!", mark, flush=True)
