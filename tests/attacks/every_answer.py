a, b = map(int, input().split())
print(*range(a + b - 500, a + b + 500))
