# Turns as far as allowed and takes the distance that is missing for m, though the gear may have gone round many times.
def turn(x):
    print("?", x, flush=True)
    return int(input())


a = turn(1)
print("!", a, a * 2**30 - turn(2**30), flush=True)
