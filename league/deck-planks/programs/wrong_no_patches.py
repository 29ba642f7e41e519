# Uses planks only.
import sys

MOD = 1_000_000_007


def main():
    words = sys.stdin.read().split()
    h, w, grid = int(words[0]), int(words[1]), words[2:]
    # Square by square, down the columns. A state holds the last h + 1 squares, the latest one last: "N" if its plank
    # goes on into the next square down, "E" if it goes on into the next column, "P" for a patch, "-" for the rest.
    states = {"-" * (h + 1): 1}
    for x in range(w):
        for y in range(h):
            after = {}
            for state, count in states.items():
                corner, west, north = state[0], state[1], state[-1]
                from_north = y > 0 and north == "N"
                from_west = x > 0 and west == "E"
                if from_north and from_west or (grid[y][x] == "#" and (from_north or from_west)):
                    continue
                if x > 0 and y > 0 and not (from_north or from_west or corner in "NE"):
                    continue
                if grid[y][x] == "#" or from_north or from_west:
                    kinds = "-"
                else:
                    kinds = ""
                    if y + 1 < h and grid[y + 1][x] == ".":
                        kinds += "N"
                    if x + 1 < w and grid[y][x + 1] == ".":
                        kinds += "E"
                    if not (y > 0 and north == "P" or x > 0 and west == "P"):
                        kinds += ""
                for kind in kinds:
                    key = state[1:] + kind
                    after[key] = (after.get(key, 0) + count) % MOD
            states = after
    print(sum(states.values()) % MOD)


main()
