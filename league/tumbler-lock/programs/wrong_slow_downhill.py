# Turns each wheel step by step while the clicks get fewer: too many settings.
n = int(input())


def clicks(wheels):
    print("?", "".join(map(str, wheels)), flush=True)
    return int(input())


code = [0] * n
now = clicks(code)
for at in range(n):
    for turn in (1, 9):
        while True:
            code[at] = (code[at] + turn) % 10
            heard = clicks(code)
            if heard > now:
                code[at] = (code[at] - turn) % 10
                break
            now = heard
print("!", "".join(map(str, code)), flush=True)
