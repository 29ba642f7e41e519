# Asks everything three times and believes the majority: too many questions.
n = int(input())


def ask(mark):
    yes = 0
    for _ in range(3):
        print("?", mark, flush=True)
        yes += input() == "1"
    return yes >= 2


low, high = 1, n
while low < high:
    middle = (low + high + 1) // 2
    if ask(middle):
        low = middle
    else:
        high = middle - 1
print("!", low, flush=True)
