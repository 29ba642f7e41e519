# Keeps the last way found to each place, which has the shortest last exchange, not the one with most exchanges.
import sys


def main():
    s = [ord(letter) for letter in sys.stdin.read().split()[1]]
    n = len(s)
    ends = [[] for _ in range(n)]  # per start: the ends of possible exchanges, with their k
    for length in range(1, n // 2 + 1):
        run, last = 0, -1
        for at in range(n - length - 1, -1, -1):
            moved = (s[at + length] - s[at]) % 26
            run = run + 1 if moved == last else 1
            last = moved
            if run >= length:
                ends[at].append((at + 2 * length, moved))
    best = [[-1] * 26 for _ in range(n + 1)]
    best[0] = [0] * 26
    for at in range(n):
        here = best[at]
        for end, k in ends[at]:
            if here[k] >= 0:
                best[end][k] = here[k] + 1
    most = max(best[n])
    print(*((most, best[n].index(most)) if most > 0 else (-1,)))


main()
