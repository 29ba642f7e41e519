import sys


def main():
    _, shelf, *log = sys.stdin.read().splitlines()
    row, thrown = list(shelf), 0
    for line in log:
        kind, *rest = line.split()
        if kind in "LR":
            parts = []
            for part in "".join(row).split("|"):
                books = part.replace(".", "")
                parts.append(books.ljust(len(part), ".") if kind == "L" else books.rjust(len(part), "."))
            row = list("|".join(parts))
            continue
        at = int(rest[0]) - 1
        if kind == "-":
            if row[at] != "|":
                row[at] = "."
            continue
        free = at
        while free < len(row) and row[free] not in ".|":
            free += 1
        if free == len(row) or row[free] == "|":
            thrown += 1
        else:
            del row[free]
            row.insert(at, rest[1])
    print("".join(row))
    print(thrown)


main()
