# Right, but tries all numbers of the digits that are left.
from itertools import product


def solve(left, number):
    top = int(number)
    for length in range(1, len(number) + 1):
        for letters in product(left, repeat=length):
            other = top - int("".join(letters))
            if letters[0] != "0" and other > 0 and set(str(other)) <= set(left):
                return "".join(letters) + " " + str(other)
    return "none"


for _ in range(int(input())):
    print(solve(*input().split()))
