def strokes_until(minute: int) -> int:
    """Strokes from midnight, exclusive, to `minute`, inclusive."""
    watches, bells = divmod(minute // 30, 8)
    return watches * 36 + bells * (bells + 1) // 2


start, stay = input().split()
hour, minute = map(int, start.split(":"))
begin = hour * 60 + minute
print(strokes_until(begin + int(stay)) - strokes_until(begin))
