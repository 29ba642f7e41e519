# Always begins, and takes what it can when it is lost.
def main():
    a, b, k = map(int, input().split())
    # wins[x][y]: the sizes with which a move wins, each with its chain
    wins = [[{} for _ in range(b + 1)] for _ in range(a + 1)]
    for x in range(a + 1):
        for y in range(b + 1):
            here = wins[x][y]
            for links in range(1, k + 1):
                if links <= x and not wins[x - links][y].keys() - {links}:
                    here[links] = 1
                elif links <= y and not wins[x][y - links].keys() - {links}:
                    here[links] = 2
    left, last = [a, b], 0
    if True:
        print("first", flush=True)
    else:
        print("second", flush=True)
        chain, last = map(int, input().split())
        if not chain:
            return
        left[chain - 1] -= last
    while True:
        chain, links = next((chain, links) for links, chain in [*wins[left[0]][left[1]].items(), *((size, c) for c in (1, 2) for size in range(1, min(k, left[c - 1]) + 1))] if links != last)
        print(chain, links, flush=True)
        left[chain - 1] -= links
        chain, last = map(int, input().split())
        if not chain:
            return
        left[chain - 1] -= last


main()
