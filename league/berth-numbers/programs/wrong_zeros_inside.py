# Loses zeros of the last numbers where the number to count up to has itself a zero at the place.
def digit_plates(first: int, last: int) -> list[int]:
    def up_to(number: int) -> list[int]:
        counts = [0] * 10
        place = 1
        while place <= number:
            higher, rest = divmod(number, place * 10)
            digit, lower = divmod(rest, place)
            counts[0] += higher * place if digit else (higher - 1) * place
            for each in range(1, 10):
                counts[each] += higher * place + (place if each < digit else lower + 1 if each == digit else 0)
            place *= 10
        return counts

    counts = [b - a for a, b in zip(up_to(max(first - 1, 0)), up_to(last))]
    counts[0] += first == 0
    return counts
