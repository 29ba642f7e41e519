import sys


def main() -> None:
    # In sorted order k words share a root part exactly when the first and last of k neighbours do.
    data = sys.stdin.read().split()
    n, k, words = int(data[0]), int(data[1]), sorted(data[2:])
    best = ""
    for first, last in zip(words, words[k - 1 : n]):
        length = len(best)
        if first[: length + 1] != last[: length + 1]:
            continue
        while length < min(len(first), len(last)) and first[length] == last[length]:
            length += 1
        if length > len(best):
            best = first[:length]
    print(best or "-")


main()
