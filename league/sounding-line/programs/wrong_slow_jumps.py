# Goes on in jumps of the root of the length and then mark by mark: too many soundings.
from math import isqrt

n = int(input())


def depth(mark):
    print("?", mark, flush=True)
    return int(input())


jump = isqrt(n)
marks = list(range(1, n + 1, jump))
at, here = 0, depth(1)
while at + 1 < len(marks) and (there := depth(marks[at + 1])) > here:
    at, here = at + 1, there
mark = marks[max(at - 1, 0)]
here = depth(mark)
while mark < n and (there := depth(mark + 1)) > here:
    mark, here = mark + 1, there
print("!", mark, flush=True)
