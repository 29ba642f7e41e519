# Right, but folds a strip of 2^k cells, as far as the numbers asked for need; hopeless for long ones.
import sys

folds, _, *numbers = sys.stdin.read().split()
if len(folds) > 22:
    while True:  # it would not fit into the memory
        pass
packet = [[(cell, True) for cell in range(2 ** len(folds))]]  # layers from the lowest up; cells from left to right
valley = [False] * 2 ** len(folds)
for fold in folds:
    half = len(packet[0]) // 2
    for layer in packet:
        (a, up), (b, _) = layer[half - 1 : half + 1]
        valley[max(a, b)] = up == (fold in "RL")
    stay = [layer[:half] if fold in "Rr" else layer[half:] for layer in packet]
    move = [layer[half:] if fold in "Rr" else layer[:half] for layer in packet]
    move = [[(cell, not up) for cell, up in reversed(layer)] for layer in reversed(move)]
    packet = stay + move if fold in "RL" else move + stay
for a, b in zip(numbers[::2], numbers[1::2]):
    row = valley[int(a) : int(b) + 1]
    print(sum(row), sum(one != two for one, two in zip(row, row[1:])))
