with open("/tmp/huge", "wb") as file:
    file.truncate(1 << 40)
print(sum(map(int, input().split())))
