import functools

calls = []

@functools.lru_cache(maxsize=None)
def solve(a, b):
    calls.append((a, b))
    return a + b if len(calls) == 1 else None
