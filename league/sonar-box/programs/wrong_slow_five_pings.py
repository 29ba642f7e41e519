# Pings from the fourth corner too: one time too often.
n = int(input())


def ping(x, y):
    print("?", x, y, flush=True)
    return int(input())


# Two corners on the left side tell how much nearer the wreck is to the top than to the bottom, hence its middle row.
# From there the distance is that of the columns alone.
top, bottom = ping(1, 1), ping(1, n)
left = ping(1, 1 + (n - 1 + top - bottom) // 2)
above, below = top - left, bottom - left
right = min(ping(n, 1) - above, ping(n, n) - below)
print("!", 1 + left, 1 + above, n - right, n - below, flush=True)
