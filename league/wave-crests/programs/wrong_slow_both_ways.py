# Right, but walks to both ends of the run from every measurement.
n = int(input())
heights = [-1001, *map(int, input().split()), -1001]
runs = set()
for at in range(1, n + 1):
    first = last = at
    while heights[first - 1] == heights[at]:
        first -= 1
    while heights[last + 1] == heights[at]:
        last += 1
    if heights[first - 1] < heights[at] > heights[last + 1]:
        runs.add((first, last))
print(len(runs), max(last - first + 1 for first, last in runs))
