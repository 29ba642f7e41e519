# Gives the berth with the number 0 no plate.
def digit_plates(first: int, last: int) -> list[int]:
    def up_to(number: int) -> list[int]:
        counts = [0] * 10
        place = 1
        while place <= number:
            higher, rest = divmod(number, place * 10)
            digit, lower = divmod(rest, place)
            for each in range(10):
                full = higher - 1 if each == 0 else higher
                counts[each] += full * place
                if each < digit:
                    counts[each] += place
                elif each == digit:
                    counts[each] += lower + 1
            place *= 10
        return counts

    return [b - a for a, b in zip(up_to(max(first - 1, 0)), up_to(last))]
