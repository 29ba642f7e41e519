def digit_plates(first: int, last: int) -> list[int]:
    def up_to(number: int) -> list[int]:
        """Plates for 1 to `number`."""
        counts = [0] * 10
        place = 1
        while place <= number:
            higher, rest = divmod(number, place * 10)
            digit, lower = divmod(rest, place)
            for each in range(10):
                # A zero at this place needs a higher part that is not zero.
                full = higher - 1 if each == 0 else higher
                counts[each] += full * place
                if each < digit:
                    counts[each] += place
                elif each == digit:
                    counts[each] += lower + 1
            place *= 10
        return counts

    counts = [b - a for a, b in zip(up_to(max(first - 1, 0)), up_to(last))]
    counts[0] += first == 0
    return counts
