"""Judging of answers that are reviews: they must name the one planted defect and nothing else. Pure."""

import json
from dataclasses import dataclass
from enum import StrEnum


class Category(StrEnum):
    """Category of a defect."""

    SECURITY = "security"
    PERFORMANCE = "performance"
    NAMING = "naming"
    LOGIC = "logic"


@dataclass(frozen=True, slots=True)
class PlantedDefect:
    """Defect of a program: its category, and the lines, from 1, on which it shows."""

    category: Category
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DefectMatch:
    """Match of an answer with a defect: it has the category, it has a line, and it has nothing else."""

    category: bool
    line: bool
    alone: bool


def match_defect(answer: str, planted: PlantedDefect) -> DefectMatch:
    """Compare an answer, a JSON object of the four categories with lists of line numbers, with the planted defect.

    Raises ValueError if the answer has another form.
    """
    review = json.loads(answer)
    if not isinstance(review, dict) or set(review) != set(Category):
        raise ValueError("no object of the four categories")
    lines = {Category(name): numbers for name, numbers in review.items()}
    if not all(isinstance(numbers, list) and all(type(line) is int for line in numbers) for numbers in lines.values()):
        raise ValueError("a category without a list of lines")
    named = {category for category, numbers in lines.items() if numbers}
    named_lines = {line for numbers in lines.values() for line in numbers}
    return DefectMatch(
        planted.category in named,
        bool(named_lines & set(planted.lines)),
        named <= {planted.category} and named_lines <= set(planted.lines),
    )
