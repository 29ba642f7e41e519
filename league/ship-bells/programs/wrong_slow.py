# Right, but strikes every bell of the stay.
start, stay = input().split()
hour, minute = map(int, start.split(":"))
begin = hour * 60 + minute
total = 0
now = begin // 30 * 30 + 30
while now <= begin + int(stay):
    total += (now // 30 - 1) % 8 + 1
    now += 30
print(total)
