# Searches for the first cipher off the line and trusts every reply there.
input()


def cipher(x):
    print("?", x, flush=True)
    return int(input())


b = cipher(0)
step = cipher(1) - b
low, high = 1, 10**6
at_high = None
while high - low > 1:
    middle = (low + high) // 2
    got = cipher(middle)
    if got == b + step * middle:
        low = middle
    else:
        high, at_high = middle, got
if at_high is None:
    at_high = cipher(high)
m = abs(b + step * high - at_high) or 1
print("!", step % m, b, m, flush=True)
