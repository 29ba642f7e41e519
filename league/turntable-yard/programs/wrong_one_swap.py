# Exchanges far wagons in one go: it writes a turn that is none.
import sys


def main():
    here, wanted = map(list, sys.stdin.read().split())
    turns = []
    for place, letter in enumerate(wanted):
        at = place
        while at < len(here) and here[at] != letter:
            at += 2
        if at >= len(here):
            print(-1)
            return
        if at > place:
            here[at], here[place] = here[place], here[at]
            turns.append(place + 1)
    print(len(turns))
    print(*turns)


main()
