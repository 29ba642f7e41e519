# Weighs random pots and keeps the parities alone, too few to tell all pots.
import random

n, w = map(int, input().split())
rng = random.Random(5)
rows = {}
for _ in range(w):
    mask = rng.getrandbits(n)
    print("? " + "".join("L" if mask >> at & 1 else "-" for at in range(n)), flush=True)
    value = mask << 1 | int(input()) & 1
    while value > 1:
        lead = value.bit_length()
        if lead not in rows:
            rows[lead] = value
            break
        value ^= rows[lead]
full = 0
for lead in sorted(rows):
    row = rows[lead] >> 1
    rest = row & ~(1 << lead - 2)
    if (rest & full).bit_count() & 1 != rows[lead] & 1:
        full |= 1 << lead - 2
print("! " + "".join(str(full >> at & 1) for at in range(n)), flush=True)
