# Starts from the first spill alone.
from collections import deque

rows, columns = map(int, input().split())
grid = [input() for _ in range(rows)]
start = next((r, c) for r in range(rows) for c in range(columns) if grid[r][c] == "o")
hour = {start: 0}
queue = deque([start])
while queue:
    r, c = queue.popleft()
    for y, x in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)):
        if 0 <= y < rows and 0 <= x < columns and grid[y][x] != "#" and (y, x) not in hour:
            hour[y, x] = hour[r, c] + 1
            queue.append((y, x))
clean = sum(grid[r][c] == "." and (r, c) not in hour for r in range(rows) for c in range(columns))
print(max(hour.values()), clean)
