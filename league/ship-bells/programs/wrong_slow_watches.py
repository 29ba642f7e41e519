# Right, but goes through the stay watch by watch.
start, stay = input().split()
hour, minute = map(int, start.split(":"))
begin = hour * 60 + minute
end, total = begin + int(stay), 0
watch = begin // 240 * 240
while watch < end:
    if begin <= watch and watch + 240 <= end:
        total += 36
    else:
        total += sum(bell for bell in range(1, 9) if begin < watch + 30 * bell <= end)
    watch += 240
print(total)
