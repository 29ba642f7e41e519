# Looks at two thirds of what is left, one after the other: too many flashes.
n = int(input())


def search(minute):
    """Where the ship is at this minute, and again after each n minutes."""
    low, high = 0, n - 1
    while low < high:
        middle = low + (high - low) // 3
        print("?", minute, low, middle, flush=True)
        if input() == "yes":
            high = middle
        else:
            low = middle + 1
        minute += n
    return low


p = search(0)
print("!", p, (search(30 * n + 1) - p) % n, flush=True)
