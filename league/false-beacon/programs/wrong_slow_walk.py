# Learns the habit and then walks along the marks: too many questions.
n = int(input())
asked = 0


def ask(mark):
    global asked
    asked += 1
    print("?", mark, flush=True)
    return input() == "1"


mark = 1
if n > 1:
    first = ask(2)
    while ask(2) == first:
        pass
    k = asked
    while mark < n and ask(mark + 1) != (asked % k == 0):
        mark += 1
print("!", mark, flush=True)
