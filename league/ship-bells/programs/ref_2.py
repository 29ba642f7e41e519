def main() -> None:
    start, stay = input().split()
    hour, minute = map(int, start.split(":"))
    begin = (hour * 60 + minute) % 240  # all watches are alike
    watches, rest = divmod(int(stay), 240)
    total = 36 * watches
    for now in range(begin + 1, begin + rest + 1):
        if now % 30 == 0:
            total += (now // 30 - 1) % 8 + 1
    print(total)


main()
