# Takes the modulus for one more than the largest of some ciphers.
input()


def cipher(x):
    print("?", x, flush=True)
    return int(input())


ciphers = [cipher(x) for x in range(23)]
m = max(ciphers) + 1
print("!", (ciphers[1] - ciphers[0]) % m, ciphers[0], m, flush=True)
