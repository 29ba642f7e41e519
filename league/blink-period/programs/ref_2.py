def main() -> None:
    notes = input()
    size = len(notes)
    ones = int("0" + "".join("1" if sign == "1" else "0" for sign in notes), 2)
    zeros = int("0" + "".join("1" if sign == "0" else "0" for sign in notes), 2)
    possible = [True] * (size + 1)
    for distance in range(1, size):
        if (ones >> distance) & zeros or (zeros >> distance) & ones:
            # Whatever divides this distance would make a 0 and a 1 equal.
            possible[distance] = False
    for period in range(1, size + 1):
        possible[period] = all(possible[period::period])
    print(possible.index(True, 1), sum(possible[1:]))


main()
