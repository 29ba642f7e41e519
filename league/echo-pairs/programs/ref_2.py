from typing import List


def echo_pairs(pulses: List[str], gap: int) -> int:
    # The positions of each word, joined over its rotations; then two pointers over each joined list.
    places = {}
    for place, pulse in enumerate(pulses):
        places.setdefault(pulse, []).append(place)
    pairs = 0
    while places:
        word, joined = places.popitem()
        doubled = word + word
        for cut in range(1, len(word)):
            joined = joined + places.pop(doubled[cut : cut + len(word)], [])
        joined.sort()
        early = 0
        for late in joined:
            while joined[early] <= late - gap:
                early += 1
            pairs += early
    return pairs
