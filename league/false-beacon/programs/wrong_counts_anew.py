# Counts the questions anew once the habit is known, but one too many.
n = int(input())
asked = 0


def ask(mark):
    global asked
    asked += 1
    print("?", mark, flush=True)
    return input() == "1"


low, high = 1, n
if n > 1:
    middle = (low + high + 1) // 2
    first = ask(middle)
    while ask(middle) == first:
        pass
    k = asked
    asked = 1
    if first:
        low = middle
    else:
        high = middle - 1
    while low < high:
        middle = (low + high + 1) // 2
        if ask(middle) != (asked % k == 0):
            low = middle
        else:
            high = middle - 1
print("!", low, flush=True)
