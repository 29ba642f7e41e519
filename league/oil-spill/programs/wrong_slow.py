# Right, but looks at the whole bay in every hour.
rows, columns = map(int, input().split())
grid = [list(input()) for _ in range(rows)]
hours = 0
while True:
    spread = [
        (y, x)
        for r in range(rows)
        for c in range(columns)
        if grid[r][c] == "o"
        for y, x in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c))
        if 0 <= y < rows and 0 <= x < columns and grid[y][x] == "."
    ]
    if not spread:
        break
    for y, x in spread:
        grid[y][x] = "o"
    hours += 1
print(hours, sum(row.count(".") for row in grid))
