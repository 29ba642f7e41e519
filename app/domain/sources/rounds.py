"""Detection of contests that are one round, held for several divisions or elsewhere too, by their titles."""

import re
from dataclasses import dataclass
from typing import Final

_MAX_TITLE_CHARS: Final = 300  # characters of a title
_DIVISIONS: Final = re.compile(
    r"\bdiv(?:ision)?s?\b\.?\s*[1-4](?:\s*(?:[+&,/]|and\b)\s*(?:div\b\.?\s*)?[1-4]\b)*", re.I
)
_BASIS: Final = re.compile(r"\bbased on (?:the )?([^()]*)", re.I)
_MIRROR: Final = re.compile(
    r"\bunofficial\b|\bonline[\s-](?:mirror|round|version|edition)\b|\b(?:only for )?onsite[\s-]finalists\b", re.I
)
_PARENTHESES: Final = re.compile(r"\([^()]*\)")
_FILLERS: Final = frozenset({"edition", "only", "rated", "unrated"})


@dataclass(frozen=True, slots=True)
class _Round:
    """Facts in a title: names of the round, of rounds it takes its problems from, and its divisions.

    `parts` are the numbered rounds that it says it is at once.
    """

    names: frozenset[str]
    parts: frozenset[str]
    bases: frozenset[str]
    divisions: frozenset[str]


def same_round(one: str, other: str) -> bool:
    """Return whether two titles name one round: its divisions ("(Div. 1)", "(Div. 2)"), or a contest and its mirror.

    Equal titles do not, because nothing in them explains why there are two contests.
    """
    first, second = _parse_title(one), _parse_title(other)
    # A part must be the whole other round: two rounds that are each held with a third may share only that.
    named = first.names & (second.names | second.parts) or first.parts & second.names
    if first.divisions != second.divisions and named:
        return True
    shared = (first.bases & (second.names | second.bases)) | (first.names & second.bases)
    return bool(shared) and first != second


def _parse_title(title: str) -> _Round:
    text = title[:_MAX_TITLE_CHARS]
    divisions = frozenset(digit for match in _DIVISIONS.finditer(text) for digit in re.findall("[1-4]", match[0]))
    bases = {_normalize_name(match[1]) for match in _BASIS.finditer(text)}
    plain = _DIVISIONS.sub(" ", _BASIS.sub(" ", text))
    if _MIRROR.search(plain):
        plain = _MIRROR.sub(" ", plain)
        bases.add(_normalize_name(_PARENTHESES.sub(" ", plain)))
        names, parts = {_normalize_name(f"{plain} mirror")}, set()
    else:
        without_parentheses = _PARENTHESES.sub(" ", plain)
        names = {_normalize_name(plain), _normalize_name(without_parentheses)}
        parts = {
            part for part in map(_normalize_name, re.split(r"\sand\s", without_parentheses)) if re.search(r"\d", part)
        }
    return _Round(frozenset(names - {""}), frozenset(parts - {""}), frozenset(bases - {""}), divisions)


def _normalize_name(text: str) -> str:
    return " ".join(word for word in re.findall(r"[^\W_]+", text.casefold()) if word not in _FILLERS)
