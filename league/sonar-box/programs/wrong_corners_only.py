# Pings from the four corners, which leave several wrecks possible, and takes the smallest.
n = int(input())


def ping(x, y):
    print("?", x, y, flush=True)
    return int(input())


a, b, c, d = ping(1, 1), ping(1, n), ping(n, 1), ping(n, n)
# as if the wreck had one row
rows = (a - b + n - 1) // 2
left, right = a - rows, c - rows
print("!", 1 + left, 1 + rows, n - right, 1 + rows, flush=True)
