"""Numbers with a unit in a text: taken only where nothing beside them could make them another number."""

import re
from typing import Final

# "1 500", "2 - 5", "2e3": what stands before is part of the number, or another one.
_BEFORE: Final = re.compile(r"\d[.,]?(?:\s*[-–—~〜]?\s*|[eE][+-]?)$")


def amount(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first amount of a pattern (group 1 its number) in a text; None where it is no amount alone."""
    match = pattern.search(text)
    if match is None or _BEFORE.search(text[: match.start(1)]) or pattern.match(text[match.end() :].lstrip()):
        return None  # the last is "1 min 30 sec"
    return match
