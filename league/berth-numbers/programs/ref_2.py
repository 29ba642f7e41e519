def digit_plates(first: int, last: int) -> list[int]:
    counts = [0] * 10

    def add(number: int, weight: int) -> None:
        """Count the digits of `number`, each `weight` times."""
        while number:
            number, digit = divmod(number, 10)
            counts[digit] += weight

    def walk(low: int, high: int, weight: int) -> None:
        """Count the plates of low..high, both above zero, each number `weight` times."""
        while low <= high and low % 10:
            add(low, weight)
            low += 1
        while low <= high and high % 10 != 9:
            add(high, weight)
            high -= 1
        if low > high:
            return
        # Whole tens are left: every last digit comes equally often, the rest are the tens themselves.
        tens = high // 10 - low // 10 + 1
        for digit in range(10):
            counts[digit] += tens * weight
        walk(low // 10, high // 10, weight * 10)

    if first == 0:
        counts[0] += 1
    if last > 0:
        walk(max(first, 1), last, 1)
    return counts
