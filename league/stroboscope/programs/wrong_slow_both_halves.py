# Flashes at both halves of what is left: twice as many flashes.
n = int(input())


def flash(minute, low, high):
    print("?", minute, low, high, flush=True)
    return input() == "yes"


def search(minute):
    """Where the ship is at this minute, and again after each n minutes."""
    low, high = 0, n - 1
    while low < high:
        middle = (low + high) // 2
        lower = flash(minute, low, middle)
        upper = flash(minute + n, middle + 1, high)
        if lower and not upper:
            high = middle
        else:
            low = middle + 1
        minute += 2 * n
    return low


p = search(0)
print("!", p, (search(60 * n + 1) - p) % n, flush=True)
