# Only tries moves in up to eight layers.
import sys

def mul(a, b, k=4):
    if a < 2 or b < 2:
        return a * b
    # field of 2^(2k) elements: halves of k bits
    m = (1 << k) - 1
    a1, a0, b1, b0 = a >> k, a & m, b >> k, b & m
    h = k >> 1
    if a1 == 0 and b1 == 0:
        return mul(a0, b0, h)
    c = mul(a0, b0, h)
    d = mul(a1, b1, h)
    e = mul(a1 ^ a0, b1 ^ b0, h)
    return ((e ^ c) << k) | (c ^ mul(d, 1 << (k - 1), h))

def main():
    data = list(map(int, sys.stdin.read().split()))
    n = data[0]
    lamps = [tuple(data[1 + 3 * i: 4 + 3 * i]) for i in range(n)]
    for g in range(2, 256):
        exp = [1]
        while True:
            t = mul(exp[-1], g)
            if t == 1 or len(exp) > 255:
                break
            exp.append(t)
        if len(exp) == 255:
            break
    log = [0] * 256
    for i, v in enumerate(exp):
        log[v] = i
    def ml(a, b):
        return exp[(log[a] + log[b]) % 255] if a and b else 0
    S = 0
    for x, y, z in lamps:
        S ^= ml(ml(x, y + 1), (z + 1) & -(z + 1))
    if S == 0:
        print("lost")
        return
    for x, y, z in lamps:
        for v in range(y + 1):
            B = y + 1 if v == y else (y + 1) ^ (v + 1)
            C = 0
            for w in range(z, max(-1, z - 8), -1):
                C ^= (w + 1) & -(w + 1)
                A = exp[(log[S] - log[B] - log[C]) % 255]
                u = A ^ x
                if u < x:
                    print(x, y, z, u, v, w)
                    return
    print("lost")

main()
