# Searches for the middle row by halves: too many pings.
n = int(input())


def ping(x, y):
    print("?", x, y, flush=True)
    return int(input())


low, high = 1, n
while low < high:
    middle = (low + high) // 2
    if ping(1, middle) <= ping(1, middle + 1):
        high = middle
    else:
        low = middle + 1
left = ping(1, low)
print("!", left + 1, low, n - ping(n, low), n - (ping(1, n) - left), flush=True)
