"""Diagrams of state machines as Mermaid text, drawn from the moves that the code allows."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import TypeVar

from app.domain.states import ENDED_SUBMISSIONS, SUBMISSION_MOVES, SubmissionState

S = TypeVar("S", bound=StrEnum)


def draw_moves(moves: Mapping[S, Collection[S]], first: S, last: Collection[S]) -> str:
    """Return a Mermaid state diagram of all these moves, from the `first` state to the `last` ones."""
    lines = ["stateDiagram-v2", f"    [*] --> {first}"]
    lines += [f"    {old} --> {new}" for old in moves for new in sorted(moves[old])]
    return "\n".join([*lines, *(f"    {state} --> [*]" for state in sorted(last))])


def draw_submission() -> str:
    """Return the diagram of a vendor's submission: the way to the board, with the states that any active one may enter.

    Those moves are drawn once, from a state that stands for every active one.
    """
    active = [state for state in SubmissionState if SUBMISSION_MOVES[state] and state not in ENDED_SUBMISSIONS]
    common = frozenset.intersection(*(SUBMISSION_MOVES[state] | {state} for state in active))
    moves = {state: SUBMISSION_MOVES[state] - common for state in SubmissionState if SUBMISSION_MOVES[state] - common}
    diagram = draw_moves(moves, SubmissionState.DRAFT, ENDED_SUBMISSIONS)
    return "\n".join([diagram, *(f"    any_active --> {state}" for state in sorted(common))])
