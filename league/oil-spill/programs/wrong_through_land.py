# Measures how far the oil has to go as if there were no land on its way.
rows, columns = map(int, input().split())
grid = [list(input()) for _ in range(rows)]
oily = [(r, c) for r in range(rows) for c in range(columns) if grid[r][c] == "o"]
hours, todo = 0, oily[:]
while todo:
    r, c = todo.pop()
    for y, x in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)):
        if 0 <= y < rows and 0 <= x < columns and grid[y][x] == ".":
            grid[y][x] = "o"
            todo.append((y, x))
            hours = max(hours, min(abs(y - b) + abs(x - a) for b, a in oily))
print(hours, sum(row.count(".") for row in grid))
