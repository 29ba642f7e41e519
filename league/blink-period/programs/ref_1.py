def main() -> None:
    # One product of two large integers counts, for every distance, the pairs of a 1 and a 0 that stand so far apart:
    # four hexadecimal digits are a coefficient, which is room for 16 000 pairs.
    notes = input()
    size = len(notes)
    ones = int("".join("0001" if sign == "1" else "0000" for sign in reversed(notes)), 16)
    zeros = int("".join("0001" if sign == "0" else "0000" for sign in notes), 16)
    pairs = f"{ones * zeros:0{8 * size}x}"
    # A 1 at place i and a 0 at place j are counted at the power i + size - 1 - j.
    coefficients = [pairs[end - 4 : end] != "0000" for end in range(8 * size, 4, -4)]
    middle = size - 1
    clash = bytearray(
        distance > 0 and (coefficients[middle + distance] or coefficients[middle - distance])
        for distance in range(size)
    )
    # Signs that stand any multiple of the period apart have to agree, since fog may lie between.
    possible = [period for period in range(1, size + 1) if not any(clash[period::period])]
    print(possible[0], len(possible))


main()
