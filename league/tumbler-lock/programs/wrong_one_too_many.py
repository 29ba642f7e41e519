# Tries the opposite digit on the last wheel too: a setting too many.
n = int(input())


def clicks(wheels):
    print("?", "".join(map(str, wheels)), flush=True)
    return int(input())


def with_wheel(at, digit):
    return [0] * at + [digit] + [0] * (n - at - 1)


# Opposite digits are 5 steps apart, whichever way: so 0 and 5 on a wheel tell how far its digit is from 0.
zeros = clicks([0] * n)
away = [(zeros + 5 - clicks(with_wheel(at, 5))) // 2 for at in range(n)]
code = []
for at, steps in enumerate(away):
    if steps in (0, 5) or clicks(with_wheel(at, steps)) == zeros - steps:
        code.append(steps)
    else:
        code.append(10 - steps)
print("!", "".join(map(str, code)), flush=True)
