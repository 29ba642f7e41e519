# Counts the lobsters of halves, and of their halves, as long as a part is neither empty nor full.
n, w = map(int, input().split())
full = ["0"] * n


def count(low, high):
    print("? " + "-" * low + "L" * (high - low) + "-" * (n - high), flush=True)
    return int(input())


def split(low, high, lobsters):
    if lobsters in (0, high - low):
        full[low:high] = ["1" if lobsters else "0"] * (high - low)
        return
    middle = (low + high) // 2
    left = count(low, middle)
    split(low, middle, left)
    split(middle, high, lobsters - left)


split(0, n, count(0, n))
print("! " + "".join(full), flush=True)
