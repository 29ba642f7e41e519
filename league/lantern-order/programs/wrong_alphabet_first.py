# Breaks ties alphabetically without looking at the length of the names first.
import sys

rows = [line.split() for line in sys.stdin.read().splitlines()[1:]]
rows.sort(key=lambda row: (["white", "green", "red"].index(row[1]), -int(row[2]), row[0]))
for row in rows:
    print(row[0])
