# Divides the minutes of the stay into days in floating point: a day too many where whole days are almost complete.
start, stay = input().split()
hour, minute = map(int, start.split(":"))
begin = hour * 60 + minute
days = int(int(stay) / 1440)
strokes = days * 6 * 36
for now in range(begin + 1, begin + int(stay) - days * 1440 + 1):
    if now % 30 == 0:
        strokes += (now // 30 - 1) % 8 + 1
print(strokes)
