# Halves the way to the first cipher off the line, and asks until two replies agree: too many numbers.
input()


def cipher(x):
    print("?", x, flush=True)
    return int(input())


def surely(x):
    one, two = cipher(x), cipher(x)
    return one if one == two else cipher(x)


b = surely(0)
step = surely(1) - b
low, high = 1, 10**6
while high - low > 1:
    middle = (low + high) // 2
    if surely(middle) == b + step * middle:
        low = middle
    else:
        high = middle
m = abs(b + step * high - surely(high))
print("!", step % m, b, m, flush=True)
