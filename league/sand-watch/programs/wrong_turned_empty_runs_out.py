# Takes a glass that was full and is turned over for one that runs out.
import sys


def main():
    words = sys.stdin.read().split()
    n, end = int(words[0]), int(words[1])
    sizes, tops = [int(word) for word in words[2::3]], [int(word) for word in words[3::3]]
    sets = [[int(sign) for sign in word] for word in words[4::3]]
    time, counts = 0, [0] * n
    seen = {}  # states right after something ran out: when, and how often each glass had run out by then
    while True:
        wait = min((grains for grains in tops if grains), default=0)
        if not wait or time + wait > end:
            tops = [max(0, grains - (end - time)) for grains in tops]
            break
        time += wait
        out = [at for at in range(n) if tops[at] == wait]
        tops = [max(0, grains - wait) for grains in tops]
        for at in out:
            counts[at] += 1
            for other in range(n):
                if sets[at][other]:
                    tops[other] = sizes[other] - tops[other]
                    counts[other] += tops[other] == 0
        key = tuple(tops)
        if seen is not None:
            if key in seen:
                then, old = seen[key]
                rounds = (end - time) // (time - then)
                counts = [now + rounds * (now - before) for now, before in zip(counts, old)]
                time += rounds * (time - then)
                seen = None
            else:
                seen[key] = (time, counts[:])
    for grains, count in zip(tops, counts):
        print(grains, count)


main()
