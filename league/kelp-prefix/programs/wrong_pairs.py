# Looks at neighbours in sorted order, as if k were always 2.
import sys
from os.path import commonprefix

words = sorted(sys.stdin.read().split()[2:])
best = ""
for pair in zip(words, words[1:]):
    part = commonprefix(pair)
    if len(part) > len(best):
        best = part
print(best or "-")
