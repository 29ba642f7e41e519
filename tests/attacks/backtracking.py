import re
re.match(r"(a|aa)+$", "a" * 60 + "b")
print(sum(map(int, input().split())))
