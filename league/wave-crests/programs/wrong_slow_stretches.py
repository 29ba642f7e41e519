# Right, but tries all stretches of equal measurements.
n = int(input())
heights = [-1001, *map(int, input().split()), -1001]
crests = longest = 0
for first in range(1, n + 1):
    for last in range(first, n + 1):
        if heights[last] != heights[first]:
            break
        if heights[first - 1] < heights[first] > heights[last + 1]:
            crests += 1
            longest = max(longest, last - first + 1)
print(crests, longest)
