# Learns the habit, and then asks about every mark until an answer comes twice in truth: too many questions.
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
    if first:
        low = middle
    else:
        high = middle - 1
    while low < high:
        middle = (low + high + 1) // 2
        truths = []
        while len(truths) < 2:
            answer = ask(middle)
            if asked % k:
                truths.append(answer)
        if truths[0]:
            low = middle
        else:
            high = middle - 1
print("!", low, flush=True)
