"""Judging an answer that is a review: whether it names the one defect that was planted, and nothing else. Pure."""

import json
from dataclasses import dataclass
from enum import StrEnum


class Category(StrEnum):
    """What is wrong with a line."""

    SECURITY = "security"
    PERFORMANCE = "performance"
    NAMING = "naming"
    LOGIC = "logic"


@dataclass(frozen=True, slots=True)
class Planted:
    """The defect of a program: its category, and the lines, from 1, on which it is seen."""

    category: Category
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What of a defect an answer has: its category, a line of it, and whether it has nothing else."""

    category: bool
    line: bool
    alone: bool


def seen(answer: str, planted: Planted) -> Seen:
    """Compare an answer with the truth: a JSON object of the four categories, each with a list of line numbers.

    Raises ValueError where it is none.
    """
    found = json.loads(answer)
    if not isinstance(found, dict) or set(found) != set(Category):
        raise ValueError("no object of the four categories")
    lines = {Category(name): given for name, given in found.items()}
    if not all(isinstance(given, list) and all(type(line) is int for line in given) for given in lines.values()):
        raise ValueError("a category without a list of lines")
    named = {category for category, given in lines.items() if given}
    at = {line for given in lines.values() for line in given}
    return Seen(
        planted.category in named,
        bool(at & set(planted.lines)),
        named <= {planted.category} and at <= set(planted.lines),
    )
