# Right, but searches for the nearest oil from every square of water.
from collections import deque

rows, columns = map(int, input().split())
grid = [input() for _ in range(rows)]
hours = clean = 0
for r in range(rows):
    for c in range(columns):
        if grid[r][c] != ".":
            continue
        seen, queue, found = {(r, c)}, deque([(r, c, 0)]), None
        while queue and found is None:
            y, x, steps = queue.popleft()
            if grid[y][x] == "o":
                found = steps
            for b, a in ((y, x + 1), (y + 1, x), (y, x - 1), (y - 1, x)):
                if 0 <= b < rows and 0 <= a < columns and grid[b][a] != "#" and (b, a) not in seen:
                    seen.add((b, a))
                    queue.append((b, a, steps + 1))
        if found is None:
            clean += 1
        else:
            hours = max(hours, found)
print(hours, clean)
