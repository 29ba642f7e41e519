"""Whether two contests are one round that is held for several divisions, or elsewhere too: told by their titles."""

import re
from dataclasses import dataclass
from typing import Final

_LONGEST: Final = 300  # characters of a title
_DIVISIONS: Final = re.compile(
    r"\bdiv(?:ision)?s?\b\.?\s*[1-4](?:\s*(?:[+&,/]|and\b)\s*(?:div\b\.?\s*)?[1-4]\b)*", re.I
)
_BASIS: Final = re.compile(r"\bbased on (?:the )?([^()]*)", re.I)
_MIRROR: Final = re.compile(
    r"\bunofficial\b|\bonline[\s-](?:mirror|round|version|edition)\b|\b(?:only for )?onsite[\s-]finalists\b", re.I
)
_ASIDE: Final = re.compile(r"\([^()]*\)")
_FILLERS: Final = frozenset({"edition", "only", "rated", "unrated"})


@dataclass(frozen=True, slots=True)
class _Round:
    """What a title says: the names of the round, those of rounds it takes its problems from, and its divisions.

    `parts` are the numbered rounds that it says it is at once.
    """

    names: frozenset[str]
    parts: frozenset[str]
    bases: frozenset[str]
    divisions: frozenset[str]


def same_round(one: str, other: str) -> bool:
    """Whether two titles name one round: its divisions, as "(Div. 1)" and "(Div. 2)", or a contest and its mirror.

    Equal titles do not, since nothing in them tells why the contests are two.
    """
    first, second = _read(one), _read(other)
    # A part is the whole of the other round: two that are each held with something else may share just that.
    named = first.names & (second.names | second.parts) or first.parts & second.names
    if first.divisions != second.divisions and named:
        return True
    either = (first.bases & (second.names | second.bases)) | (first.names & second.bases)
    return bool(either) and first != second


def _read(title: str) -> _Round:
    text = title[:_LONGEST]
    divisions = frozenset(digit for match in _DIVISIONS.finditer(text) for digit in re.findall("[1-4]", match[0]))
    bases = {_name(match[1]) for match in _BASIS.finditer(text)}
    plain = _DIVISIONS.sub(" ", _BASIS.sub(" ", text))
    if _MIRROR.search(plain):
        plain = _MIRROR.sub(" ", plain)
        bases.add(_name(_ASIDE.sub(" ", plain)))
        names, parts = {_name(f"{plain} mirror")}, set()
    else:
        bare = _ASIDE.sub(" ", plain)
        names = {_name(plain), _name(bare)}
        parts = {part for part in map(_name, re.split(r"\sand\s", bare)) if re.search(r"\d", part)}
    return _Round(frozenset(names - {""}), frozenset(parts - {""}), frozenset(bases - {""}), divisions)


def _name(text: str) -> str:
    return " ".join(word for word in re.findall(r"[^\W_]+", text.casefold()) if word not in _FILLERS)
