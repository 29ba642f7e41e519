# Leaves the last berth without plates.
def digit_plates(first: int, last: int) -> list[int]:
    def below(number: int) -> list[int]:
        counts = [0] * 10
        place = 1
        while place < number:
            higher, rest = divmod(number, place * 10)
            digit, lower = divmod(rest, place)
            for each in range(10):
                counts[each] += (higher - (each == 0)) * place
                counts[each] += place if each < digit else lower if each == digit else 0
            place *= 10
        return counts

    counts = [b - a for a, b in zip(below(first), below(last))]
    counts[0] += first == 0
    return counts
