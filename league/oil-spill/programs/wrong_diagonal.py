# Lets the oil spread over corners as well.
rows, columns = map(int, input().split())
grid = [list(input()) for _ in range(rows)]
oily = [(r, c) for r in range(rows) for c in range(columns) if grid[r][c] == "o"]
hours = 0
while oily:
    spread = []
    for r, c in oily:
        for y in range(max(r - 1, 0), min(r + 2, rows)):
            for x in range(max(c - 1, 0), min(c + 2, columns)):
                if grid[y][x] == ".":
                    grid[y][x] = "o"
                    spread.append((y, x))
    hours += bool(spread)
    oily = spread
print(hours, sum(row.count(".") for row in grid))
