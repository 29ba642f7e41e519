# Walks from the last mark towards the first one until it grows shallower: too many soundings.
n = int(input())


def depth(mark):
    print("?", mark, flush=True)
    return int(input())


mark = n
here = depth(n)
while mark > 1 and (there := depth(mark - 1)) > here:
    mark, here = mark - 1, there
print("!", mark, flush=True)
