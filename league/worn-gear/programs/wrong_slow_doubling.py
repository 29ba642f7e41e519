# Doubles the number of turns until the gear has gone round: too many telegrams where a is small.
def turn(x):
    print("?", x, flush=True)
    return int(input())


x, a = 1, turn(1)
last = a
while True:
    x *= 2
    tooth = turn(x)
    if tooth != 2 * last:
        break
    last = tooth
print("!", a, 2 * last - tooth, flush=True)
