# Right, but carries out every round of every block.
import sys

words = sys.stdin.read().split()
match, stack = {}, []
for at, word in enumerate(words):
    if word.endswith("["):
        stack.append(at)
    elif word == "]":
        match[stack.pop()] = at
x = y = turn = 0
box = [0, 0, 0, 0]
at, rounds = 0, []
while at < len(words):
    word = words[at]
    if word.endswith("["):
        rounds.append([at, int(word[:-1]) - 1])
    elif word == "]":
        if rounds[-1][1]:
            rounds[-1][1] -= 1
            at = rounds[-1][0]
        else:
            rounds.pop()
    elif word in "LR":
        turn = (turn + (3 if word == "L" else 1)) % 4
    else:
        x += (0, 1, 0, -1)[turn] * int(word[1:])
        y += (1, 0, -1, 0)[turn] * int(word[1:])
        box = [min(box[0], x), max(box[1], x), min(box[2], y), max(box[3], y)]
    at += 1
print(*box)
print(x, y, "NESW"[turn])
