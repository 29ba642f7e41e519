import sys


def main() -> None:
    lines = sys.stdin.read().split("\n")
    _, begin, end = map(int, lines[0].split())
    longest: dict[int, int] = {}  # when somebody comes -> the latest he may leave
    for line in lines[1:-1]:
        come, leave = map(int, line.split())
        come = max(come, begin)
        if leave > longest.get(come, come):
            longest[come] = leave
    chosen, reached, ahead = 0, begin, begin
    for come in [*sorted(longest), end]:
        if come > reached:
            # Nobody who has come by now may be left out any longer.
            if ahead > reached:
                chosen, reached = chosen + 1, ahead
            if reached >= end:
                break
            if come > reached:
                print(-1, reached)
                return
        if come < end:
            ahead = max(ahead, longest[come])
    if reached < end:
        if ahead < end:
            print(-1, ahead)
            return
        chosen += 1
    print(chosen)


main()
