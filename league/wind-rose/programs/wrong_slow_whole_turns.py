# Right, but takes whole turns off one by one.
import sys

WINDS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split()
data = list(map(int, sys.stdin.read().split()))
counts, sums, calms = [0] * 16, [0] * 16, 0
for angle, strength in zip(data[1::2], data[2::2]):
    while angle < 0:
        angle += 1440
    while angle >= 1440:
        angle -= 1440
    if strength:
        wind = (angle + 45) // 90 % 16
        counts[wind] += 1
        sums[wind] += strength
    else:
        calms += 1
print(calms)
for wind in sorted(range(16), key=lambda wind: (-counts[wind], -sums[wind])):
    if counts[wind]:
        print(WINDS[wind], counts[wind], sums[wind])
