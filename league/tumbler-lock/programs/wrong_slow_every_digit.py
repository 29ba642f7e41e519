# Tries the digits of each wheel until the clicks are fewest: too many settings.
n = int(input())


def clicks(wheels):
    print("?", "".join(map(str, wheels)), flush=True)
    return int(input())


code = [0] * n
for at in range(n):
    heard = []
    for digit in range(10):
        code[at] = digit
        heard.append(clicks(code))
    code[at] = heard.index(min(heard))
print("!", "".join(map(str, code)), flush=True)
