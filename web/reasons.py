"""Reasons that our own rules write, told from free text by their wording, so that they can be said in any language."""

import re
from typing import NamedTuple

_HOLDS = {
    "hold.no_date": r"no release date",
    "hold.no_statement": r"no statement",
    "hold.no_tests": r"no full tests: (?P<n>\d+) public samples only",
    "hold.no_entry": r"what programs must define is not known",
    "hold.no_interactor": r"interactive, and no interactor",
    "hold.no_checker": r"several answers are right, and no checker knows them",
    "hold.image": r"its statement has an image, which may be needed",
    "hold.needs": r"needs (?P<rest>.*), which is not here",
    "hold.disagree": r"accepted programs disagree: (?P<rest>.*)",
    "hold.audit": r"better models do worse on it: (?P<rest>.*)",
    "hold.unproven": r"its tests could not be proven, by our fault: (?P<rest>.*)",
    "hold.refuted": r"tests refuted: (?P<rest>.*)",
}


class Reason(NamedTuple):
    """A reason as a key with its number, and what follows it as it was written; free text has no key."""

    key: str | None
    n: int | None
    rest: str


def hold_reason(text: str | None) -> Reason:
    """Why a problem is held."""
    text = text or "—"
    for key, pattern in _HOLDS.items():
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found is not None:
            said = found.groupdict()
            return Reason(key, int(said["n"]) if "n" in said else None, said.get("rest", ""))
    return Reason(None, None, text)
