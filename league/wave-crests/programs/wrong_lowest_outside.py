# Takes the lowest height there can be for the one outside the record.
from itertools import groupby


def main() -> None:
    input()
    runs = [(height, len(list(run))) for height, run in groupby(map(int, input().split()))]
    low = (-1000, 0)
    padded = [low, *runs, low]
    crests = [
        run[1]
        for before, run, after in zip(padded, padded[1:], padded[2:])
        if before[0] < run[0] > after[0]
    ]
    print(len(crests), max(crests))


main()
