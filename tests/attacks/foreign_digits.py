a, b = map(int, input().split())
print("".join(chr(0x0660 + int(d)) if d.isdigit() else d for d in str(a + b)))
