"""Inputs of ship-bells: moments just before, at and after a bell, whole watches and days, and stays of many centuries."""

import json
import random
import re
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    found = re.fullmatch(r"([0-9]{2}):([0-9]{2}) (0|[1-9][0-9]*)\n", given)
    if found is None:
        raise ValueError("one line with a time and a number")
    hour, minute, stay = (int(each) for each in found.groups())
    if hour > 23 or minute > 59:
        raise ValueError("the time")
    if stay > 10**18:
        raise ValueError("the stay")


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_402)
    stays = [("00:15", 60), ("03:30", 30), ("22:00", 1440)]
    stays += [("00:00", 0), ("04:00", 0), ("04:00", 1), ("03:59", 1), ("23:59", 1), ("23:59", 31), ("11:30", 29)]
    stays += [("00:00", 240), ("00:01", 240), ("23:30", 30), ("08:00", 479), ("12:29", 2), ("20:00", 100_000)]
    for limit in (100, 500, 5_000, 10**6):
        stays.append((f"{rng.randrange(24):02}:{rng.randrange(60):02}", rng.randrange(limit)))
    stays += [("23:29", 10**18), ("17:31", 10**18 - 1), ("09:10", 999_999_999_999_999_989), ("12:00", 10**17 + 30), ("06:00", 10**18 - 641)]
    yield from (f"{start} {stay}\n" for start, stay in stays)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
