# Looks at single measurements only, so a crest of several equal heights is missed.
n = int(input())
heights = [-1001, *map(int, input().split()), -1001]
crests = 0
for i in range(1, n + 1):
    if heights[i - 1] < heights[i] > heights[i + 1]:
        crests += 1
print(crests, 1 if crests else 0)
