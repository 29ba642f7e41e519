# Counts zeros in front of the numbers, as if all were written with the same width.
def digit_plates(first: int, last: int) -> list[int]:
    def below(number: int) -> list[int]:
        counts = [0] * 10
        place = 1
        while place < max(number, 2):
            higher, rest = divmod(number, place * 10)
            digit, lower = divmod(rest, place)
            for each in range(10):
                counts[each] += higher * place + (place if each < digit else lower if each == digit else 0)
            place *= 10
        return counts

    return [b - a for a, b in zip(below(first), below(last + 1))]
