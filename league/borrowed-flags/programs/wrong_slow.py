# Right, but sets up one equation for every partition of the boats into fleets.
import sys
from itertools import product
from math import comb

MOD = 998_244_353


def main():
    (_, r), fleets = [[int(word) for word in line.split()] for line in sys.stdin]
    total = sum(fleets)
    number, states = {}, []

    def name(sizes):
        key = tuple(sorted(size for size in sizes if size))
        if len(key) > 1 and key not in number:
            number[key] = len(states)
            states.append(key)
        return key

    start = name(fleets)
    if len(start) == 1:
        print(0)
        return
    rows, every = [], pow(comb(total, r), -1, MOD)
    for state in states:
        row = {number[state]: 1, -1: MOD - 1}
        for meet in product(*(range(min(size, r) + 1) for size in state)):
            if sum(meet) != r:
                continue
            chance = every
            for size, some in zip(state, meet):
                chance = chance * comb(size, some) % MOD
            left = [size - some for size, some in zip(state, meet)]
            for at, some in enumerate(meet):
                if some:
                    after = name([*left[:at], left[at] + r, *left[at + 1 :]])
                    if len(after) > 1:
                        key = number[after]
                        row[key] = (row.get(key, 0) - chance * some % MOD * pow(r, -1, MOD)) % MOD
        rows.append(row)
    # Eliminate from the last state to the first.
    for at in range(len(rows) - 1, -1, -1):
        scale = pow(rows[at][at], -1, MOD)
        pivot = {key: value * scale % MOD for key, value in rows[at].items()}
        for other in range(at):
            factor = rows[other].pop(at, 0)
            if factor:
                for key, value in pivot.items():
                    if key != at:
                        rows[other][key] = (rows[other].get(key, 0) - factor * value) % MOD
        rows[at] = pivot
    print(-rows[0][-1] % MOD)


main()
