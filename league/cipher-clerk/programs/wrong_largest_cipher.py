# Takes the modulus for one more than the largest of some ciphers that were asked for twice.
input()


def cipher(x):
    print("?", x, flush=True)
    return int(input())


def surely(x):
    one, two = cipher(x), cipher(x)
    return one if one == two else cipher(x)


ciphers = [surely(x) for x in range(11)]
m = max(ciphers) + 1
print("!", (ciphers[1] - ciphers[0]) % m, ciphers[0], m, flush=True)
