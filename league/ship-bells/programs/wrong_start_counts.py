# Counts the strokes at the moment of coming on board.
start, stay = input().split()
hour, minute = map(int, start.split(":"))
begin = hour * 60 + minute


def until(minute: int) -> int:
    watches, bells = divmod(minute // 30, 8)
    return watches * 36 + bells * (bells + 1) // 2


print(until(begin + int(stay)) - until(begin - 1))
