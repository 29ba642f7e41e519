import zlib
data = zlib.compress(b"\0" * (1 << 26), 9)
kept = [zlib.decompress(data) for _ in range(64)]
print(sum(map(int, input().split())))
