# Couples hooks of the same kind.
import sys

hook, _, *wagons = sys.stdin.read().split()
kinds = {"AA": [], "AB": [], "BA": [], "BB": []}
for number, wagon in enumerate(wagons, 1):
    kinds[wagon].append(number)
# Seen from the first free hook on: `straight` wagons leave the hook as it is, and AA and BB take turns.
first = hook
hook = "B" if hook == "A" else "A"
same, other = kinds[first * 2], kinds[hook * 2]
straight, against = kinds[first + hook], kinds[hook + first]
if not len(other) <= len(same) <= len(other) + 1:
    print("none")
else:
    train = list(straight)
    if same:
        train += [same[0], *against]
        for one, two in zip(other, same[1:] + [None]):
            train += [one] if two is None else [one, two]
    else:
        train += [-number for number in against]
    print(*train)
