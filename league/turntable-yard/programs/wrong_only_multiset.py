# Looks at the letters as a whole only, and prints something where they stand at the wrong places.
import sys


def main():
    here, wanted = map(list, sys.stdin.read().split())
    turns = []
    for place, letter in enumerate(wanted):
        at = place
        while at < len(here) and here[at] != letter:
            at += 2
        if at >= len(here):
            at = place
            if sorted(here) != sorted(wanted):
                print(-1)
                return
        while at > place:
            at -= 2
            here[at], here[at + 2] = here[at + 2], here[at]
            turns.append(at + 1)
    print(len(turns))
    print(*turns)


main()
