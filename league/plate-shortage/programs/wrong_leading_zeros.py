# Lets numbers begin with 0.
def solve(left, number):
    digits = [int(each) for each in left]
    have = set(digits)
    # A state, from the last digit on: the carry, and how many of the two numbers still go on (the first is no shorter).
    layers = [{(0, 2): None}]
    for char in reversed(number):
        want, after = int(char), {}
        for state in layers[-1]:
            carry, going = state
            if going == 0:
                if carry == want:
                    after.setdefault((0, 0), (state, "", ""))
                continue
            for b in digits if going == 2 else (0,):
                a = (want - carry - b) % 10
                if a not in have:
                    continue
                over = (carry + a + b) // 10
                texts = (state, str(a), str(b) if going == 2 else "")
                after.setdefault((over, going), texts)
                if going == 2:
                    after.setdefault((over, 1), texts)
                if going:
                    after.setdefault((over, 0), texts)
        layers.append(after)
    state = (0, 0)
    if state not in layers[-1]:
        return "none"
    one, two = [], []
    for layer in reversed(layers[1:]):
        state, a, b = layer[state]
        one.append(a)
        two.append(b)
    return "".join(one) + " " + "".join(two)


for _ in range(int(input())):
    print(solve(*input().split()))
