# Leaves ties in input order instead of looking at the names.
import sys

rows = [line.split() for line in sys.stdin.read().splitlines()[1:]]
rows.sort(key=lambda row: (["white", "green", "red"].index(row[1]), -int(row[2])))
for row in rows:
    print(row[0])
