# Right, but writes every number out.
def digit_plates(first: int, last: int) -> list[int]:
    counts = [0] * 10
    for number in range(first, last + 1):
        for digit in str(number):
            counts[int(digit)] += 1
    return counts
