# Has one turn more made with every telegram until the gear has gone round: too many telegrams.
def turn(x):
    print("?", x, flush=True)
    return int(input())


x, a = 1, turn(1)
while True:
    x += 1
    tooth = turn(x)
    if tooth != a * x:
        break
print("!", a, a * x - tooth, flush=True)
