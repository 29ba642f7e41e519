"""Fixed workload for the interpreter, as workload.c is for compiled code. Bare standard library."""

import sys

_STEPS, _PLACES, _READS = 500_000, 400_000, 400_000


def work_in_caches() -> int:
    """Do arithmetic, calls and look-ups in small containers, which all stay in the caches."""
    table: dict[int, int] = {}
    total = 0
    for step in range(_STEPS):
        key = step * 7919 % 251
        table[key] = table.get(key, 0) + step
        total ^= table[key] & 0xFFFF
    return total


def work_across_heap() -> int:
    """Read objects in random order in a heap of some ten MiB."""
    places = [str(number) for number in range(_PLACES)]
    at = total = 0
    for _ in range(_READS):
        at = (at * 1_103_515_245 + 12_345) % _PLACES
        total += len(places[at])
    return total


if __name__ == "__main__":
    work_in_caches() if sys.argv[1] == "cached" else work_across_heap()
