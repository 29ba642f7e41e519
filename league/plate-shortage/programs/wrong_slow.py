# Right, but tries the digits from the last on without remembering what failed.
import sys

sys.setrecursionlimit(5000)


def solve(left, number):
    digits = [int(each) for each in left]

    def make(at, carry, going):
        if at < 0:
            return ("", "") if carry == 0 and going == 0 else None
        want = int(number[at])
        if going == 0:
            return make(at - 1, 0, 0) if carry == want else None
        for b in digits if going == 2 else (0,):
            a = (want - carry - b) % 10
            if a not in digits:
                continue
            ends = [going] + [1] * (going == 2 and b > 0) + [0] * (a > 0 and (going == 1 or b > 0))
            for then in ends:
                rest = make(at - 1, (carry + a + b) // 10, then)
                if rest:
                    return rest[0] + str(a), rest[1] + (str(b) if going == 2 else "")
        return None

    found = make(len(number) - 1, 0, 2)
    return " ".join(found) if found else "none"


for _ in range(int(input())):
    print(solve(*input().split()))
