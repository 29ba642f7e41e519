"""Numbers with a unit in a text, taken only if the text around them cannot make them another number."""

import re
from typing import Final

# "1 500", "2 - 5", "2e3": the text before is part of the number, or another number.
_BEFORE: Final = re.compile(r"\d[.,]?(?:\s*[-–—~〜]?\s*|[eE][+-]?)$")


def amount(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the first match of a pattern (group 1 is its number); None if the match is only a part of an amount."""
    match = pattern.search(text)
    if match is None or _BEFORE.search(text[: match.start(1)]) or pattern.match(text[match.end() :].lstrip()):
        return None  # the last is "1 min 30 sec"
    return match
