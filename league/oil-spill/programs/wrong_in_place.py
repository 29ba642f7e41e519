# Spreads within the grid it reads: oil runs on to the right and down in the same hour.
rows, columns = map(int, input().split())
grid = [list(input()) for _ in range(rows)]
hours = 0
changed = True
while changed:
    changed = False
    for r in range(rows):
        for c in range(columns):
            if grid[r][c] != "o":
                continue
            for y, x in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)):
                if 0 <= y < rows and 0 <= x < columns and grid[y][x] == ".":
                    grid[y][x] = "o"
                    changed = True
    hours += changed
print(hours, sum(row.count(".") for row in grid))
