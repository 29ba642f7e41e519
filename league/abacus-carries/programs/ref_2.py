# From the first place down: the carry that must come from behind is guessed, and both ends of both ranges are kept in one go.
from functools import lru_cache
from typing import List


class Solution:
    def countPairs(self, low: List[int], high: List[int], base: int, carries: int) -> int:
        places = 1
        while base**places <= max(high):
            places += 1

        def written(number):
            return [number // base**place % base for place in range(places)]

        a, b, c, d = written(low[0]), written(low[1]), written(high[0]), written(high[1])

        @lru_cache(None)
        def ways(size, out, x_low, x_high, y_low, y_high):
            """Per number of carries: fillings of the last `size` places with the carry `out` and ends that still bind."""
            if size == 0:
                return (1,) if not out else ()
            at = size - 1
            from_x, to_x = a[at] if x_low else 0, c[at] if x_high else base - 1
            from_y, to_y = b[at] if y_low else 0, d[at] if y_high else base - 1
            # Digits strictly between the ends bind nothing and are taken together.
            columns = {}
            for y_kind, y0, y1 in kinds(from_y, to_y, y_low, y_high):
                for x_kind, x0, x1 in kinds(from_x, to_x, x_low, x_high):
                    for came in (0, 1):
                        if came and out:
                            continue
                        total = 0
                        for x in range(x0, x1 + 1):
                            least = base - x - came
                            total += max(0, y1 - max(y0, least) + 1) if out else max(0, min(y1, least - 1) - y0 + 1)
                        if total:
                            columns[came, *x_kind, *y_kind] = columns.get((came, *x_kind, *y_kind), 0) + total
            result = [0] * (carries + 1)
            for key, total in columns.items():
                for count, number in enumerate(ways(at, *key)):
                    if count + out <= carries:
                        result[count + out] += number * total
            return tuple(result)

        return sum((*ways(places, out, True, True, True, True), *[0] * 99)[carries] for out in (0, 1))


def kinds(low, high, low_binds, high_binds):
    """Stretches of digits, with whether each still lies on the lower end and on the upper end."""
    if low > high:
        return []
    if low == high:
        return [((low_binds, high_binds), low, high)]
    made, first, last = [], low, high
    if low_binds:
        made.append(((True, False), low, low))
        first += 1
    if high_binds:
        made.append(((False, True), high, high))
        last -= 1
    return made + ([((False, False), first, last)] if first <= last else [])
