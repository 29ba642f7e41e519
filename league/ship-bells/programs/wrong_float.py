# Divides in floating point: long stays lose their last digits.
start, stay = input().split()
hour, minute = map(int, start.split(":"))
begin = hour * 60 + minute


def until(minute: int) -> int:
    bells = int(minute / 30)
    watches = int(bells / 8)
    rest = bells % 8
    return watches * 36 + rest * (rest + 1) // 2


print(until(begin + int(stay)) - until(begin))
