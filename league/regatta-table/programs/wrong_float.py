# Adds half a tenth to the mean in floating point, which may fall short.
from typing import List


def regattaTable(boats: List[str], races: List[List[str]], discards: int) -> List[str]:
    worst = len(boats) + 1
    scores = {boat: [10 * worst] * len(races) for boat in boats}  # in tenths of a point
    codes = {boat: [""] * len(races) for boat in boats}
    for number, race in enumerate(races):
        place = 0
        for word in race:
            boat, _, code = word.partition(":")
            codes[boat][number] = code
            if code not in ("DSQ", "DNE"):
                place += 1
                scores[boat][number] = 10 * place
    rows = []
    for boat in boats:
        own = scores[boat]
        plain = [score for score, code in zip(own, codes[boat]) if code != "RDG"]
        if plain:
            mean = int((sum(plain) / 10 / len(plain) + 0.05) * 10)
            own = [mean if code == "RDG" else score for score, code in zip(own, codes[boat])]
        free = [number for number in range(len(races)) if codes[boat][number] != "DNE"]
        left = set(sorted(free, key=lambda number: -own[number])[:discards])
        counted = sorted(score for number, score in enumerate(own) if number not in left)
        rows.append((sum(counted), counted, own[::-1], boat))
    return [f"{place} {row[3]} {row[0] // 10}.{row[0] % 10}" for place, row in enumerate(sorted(rows), 1)]
