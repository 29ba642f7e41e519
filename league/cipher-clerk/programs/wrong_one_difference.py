# Takes the difference from the line at one large number for the modulus.
input()


def cipher(x):
    print("?", x, flush=True)
    return int(input())


b = cipher(0)
step = cipher(1) - b
m = abs(b + step * 1000 - cipher(1000)) or 1
print("!", step % m, b, m, flush=True)
