a, b = map(int, input().split())
print(f"0\b{a + b}\x1b[2K\r{a + b}")
