# Right, but looks at every setting of the lamps.
import sys

n, _, *patterns = sys.stdin.read().split()
n = int(n)
rings = 0
setting = 0
while setting < 1 << n:
    turned, least = setting, True
    for _ in range(n):
        turned = turned >> 1 | (turned & 1) << n - 1
        if turned < setting:
            least = False
            break
    if least:
        text = format(setting, f"0{n}b").replace("1", "o").replace("0", ".") * 5
        rings += not any(pattern in text[: n + 4] for pattern in patterns)
    setting += 1
print(rings % 998_244_353)
