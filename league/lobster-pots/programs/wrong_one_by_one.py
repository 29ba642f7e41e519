# Weighs every pot alone.
n, w = map(int, input().split())
word = ""
for at in range(n):
    print("? " + "-" * at + "L" + "-" * (n - at - 1), flush=True)
    word += input()
print("! " + word, flush=True)
