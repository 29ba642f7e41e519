# Fetches the farthest wagon with the letter, not the nearest.
import sys


def main():
    here, wanted = map(list, sys.stdin.read().split())
    turns = []
    for place, letter in enumerate(wanted):
        at = place
        fits = [each for each in range(place, len(here), 2) if here[each] == letter]
        at = fits[-1] if fits else len(here)
        if at >= len(here):
            print(-1)
            return
        while at > place:
            at -= 2
            here[at], here[at + 2] = here[at + 2], here[at]
            turns.append(at + 1)
    print(len(turns))
    print(*turns)


main()
