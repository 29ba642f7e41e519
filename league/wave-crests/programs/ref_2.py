def main() -> None:
    n = int(input())
    heights = list(map(int, input().split()))
    crests = longest = 0
    start, rising = 0, True  # where the present run began, and whether it was reached from below
    for i in range(1, n + 1):
        if i < n and heights[i] == heights[i - 1]:
            continue
        if rising and (i == n or heights[i] < heights[i - 1]):
            crests += 1
            longest = max(longest, i - start)
        if i < n:
            rising = heights[i] > heights[i - 1]
            start = i
    print(crests, longest)


main()
