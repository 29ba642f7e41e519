# Right, but hangs each group on the first buoy's whatever their sizes, so that paths to the root grow long.
import sys


def main() -> None:
    # A forest with distances: each buoy knows how far east of its parent it lies, each root the ends of its group.
    lines = sys.stdin.read().splitlines()
    n = int(lines[0].split()[0])
    up = list(range(n + 1))
    east = [0] * (n + 1)
    left = [0] * (n + 1)
    right = [0] * (n + 1)

    def find(buoy: int) -> tuple[int, int]:
        """The root of the buoy's group and how far east of it the buoy lies."""
        offset = 0
        while up[buoy] != buoy:
            offset += east[buoy]
            buoy = up[buoy]
        return buoy, offset

    longest = 0
    answers = []
    for line in lines[1:]:
        kind, *words = line.split()
        root_a, at_a = find(int(words[0]))
        root_b, at_b = find(int(words[1]))
        if kind == "Q":
            answers.append(str(at_b - at_a) if root_a == root_b else "?")
            continue
        distance = int(words[2])
        if root_a == root_b:
            answers.append(str(longest) if at_b - at_a == distance else "no")
            continue
        shift = at_a + distance - at_b  # where the root of b lies, seen from the root of a
        up[root_b] = root_a
        east[root_b] = shift
        left[root_a] = min(left[root_a], shift + left[root_b])
        right[root_a] = max(right[root_a], shift + right[root_b])
        longest = max(longest, right[root_a] - left[root_a])
        answers.append(str(longest))
    print("\n".join(answers))


main()
