# Prints the turns from the last to the first.
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
        while at > place:
            at -= 2
            here[at], here[at + 2] = here[at + 2], here[at]
            turns.append(at + 1)
    print(len(turns))
    print(*turns[::-1])


main()
