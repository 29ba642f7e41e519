# Takes it that a watch begins when you come on board.
start, stay = input().split()
minute = int(start.split(":")[1]) % 30
watches, bells = divmod((minute + int(stay)) // 30, 8)
print(watches * 36 + bells * (bells + 1) // 2)
