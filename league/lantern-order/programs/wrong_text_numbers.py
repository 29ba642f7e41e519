# Compares brightness as text, so that 9 hangs before 10.
import sys

rows = [line.split() for line in sys.stdin.read().splitlines()[1:]]
rows.sort(key=lambda row: (len(row[0]), row[0]))
rows.sort(key=lambda row: row[2], reverse=True)
rows.sort(key=lambda row: ["white", "green", "red"].index(row[1]))
for row in rows:
    print(row[0])
