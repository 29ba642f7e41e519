# Right, but goes from one thousand to the next, whose last three digits are always the same.
def digit_plates(first: int, last: int) -> list[int]:
    counts = [0] * 10

    def write(text, times):
        for digit in text:
            counts[int(digit)] += times

    while first <= last and (first % 1000 or first + 999 > last or first == 0):
        write(str(first), 1)
        first += 1
    while first + 999 <= last:
        write(str(first // 1000), 1000)
        for digit in range(10):
            counts[digit] += 300
        first += 1000
    while first <= last:
        write(str(first), 1)
        first += 1
    return counts
