"""Rejudging of stored answers: which answers, the changes in cells, and the moves of a board's rows."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Self

from app.domain.boards.board import Board, BoardRow
from app.domain.cube.facts import Cell
from app.domain.errors import InvalidInput
from app.domain.judging.verdicts import Verdict
from app.domain.states import SampleState

APPROVALS = 2
_MAX_NAME_CHARS = 200
_MAX_RANKS = 10**9
_CONFIRMATION_WORDS = ("anchor", "beacon", "cobble", "dipper", "ebbing", "fathom", "gannet", "harbor", "inlet",
                       "jetty", "kelp", "lagoon", "marram", "neap", "osprey", "plover", "quay", "ripple", "shoal",
                       "tern", "upwind", "vessel", "wader", "yawl")  # fmt: skip
# Policy, toolchain and sandbox, then the toolchain of a checker or interactor if there is one.
_REVISION = re.compile(r"\d+\.(?P<language>[a-z0-9+#]+)-.*?\.(?:[0-9a-f]{8}|none)(?:\.(?P<helper>[a-z0-9+#]+)\b.*)?")


class ScopeKind(StrEnum):
    """Kind of name that selects the answers; `GRADER` selects those that an older judge than the named one judged."""

    PROBLEM = "problem"
    CONTEST = "contest"
    MODEL = "model"
    PROTOCOL = "protocol"
    SOURCE = "source"
    GRADER = "grader"


@dataclass(frozen=True, slots=True)
class RejudgingScope:
    """Answers to rejudge: `problem` house/sum, `contest` atcoder:abc300, else a slug or a grader revision.

    `test_set` are tests of that one problem that are not in use: they judge, and a commit puts them in use.
    """

    kind: ScopeKind
    name: str
    test_set: int | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a scope from what `as_json` returned."""
        return cls(ScopeKind(data["kind"]), data["name"], data.get("test_set"))

    def as_json(self) -> dict[str, Any]:
        """Return the scope as it is stored."""
        tests = {} if self.test_set is None else {"test_set": self.test_set}
        return {"kind": self.kind, "name": self.name, **tests}

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" + ("" if self.test_set is None else f" by test set {self.test_set}")


def read_scope(kind: str, name: str) -> RejudgingScope:
    """Return a scope from words that people write. Raises InvalidInput."""
    try:
        scope_kind = ScopeKind(kind)
    except ValueError:
        raise InvalidInput(f"select answers by one of {', '.join(ScopeKind)}", pointer="/kind") from None
    name = name.strip()
    if not name or len(name) > _MAX_NAME_CHARS or not name.isprintable():
        raise InvalidInput("name what to judge again", pointer="/name")
    separator = {ScopeKind.PROBLEM: "/", ScopeKind.CONTEST: ":"}.get(scope_kind)
    if separator is not None and not all(name.partition(separator)):
        raise InvalidInput(f"a {scope_kind} is written SOURCE{separator}ID", pointer="/name")
    return RejudgingScope(scope_kind, name)


def lineage(revision: str) -> str:
    """Return the lineage of a grader revision: the languages it judged with. An unreadable revision has only itself.

    A checker's language belongs to it: the first problem with a checker is not judged by a successor.
    """
    match = _REVISION.fullmatch(revision)
    if match is None:
        return revision
    return "+".join(part for part in (match["language"], match["helper"]) if part)


class CountedVerdict(NamedTuple):
    """Verdict as cells see it."""

    id: int
    verdict: str

    @property
    def accepted(self) -> bool:
        """True if the program was accepted."""
        return self.verdict == Verdict.ACCEPTED


class SampleVerdicts(NamedTuple):
    """One sample of a cell: the verdict that counts now, and the new one if it was rejudged.

    With `other_tests` in use after the commit, only the new verdict would count.
    """

    protocol: int
    run: int
    problem: int
    item: int
    sample: int
    state: str
    counting: CountedVerdict | None
    instead: CountedVerdict | None
    other_tests: bool = False

    @property
    def verdict_after(self) -> CountedVerdict | None:
        """Verdict that counts after a commit."""
        return self.counting if self.instead is None and not self.other_tests else self.instead

    @property
    def is_lost(self) -> bool:
        """True if a verdict counts now and none after a commit: the other tests then have to judge the answer."""
        return self.counting is not None and self.verdict_after is None


class Flip(NamedTuple):
    """Answer whose counting verdict is replaced, even if both verdicts are equal."""

    protocol: int
    sample: int
    old: CountedVerdict
    new: CountedVerdict


Cells = Mapping[int, tuple[Cell, ...]]  # by protocol


def cells_of(facts: Iterable[SampleVerdicts], *, then: bool) -> Cells:
    """Return the cells of these samples by protocol, now or after a commit (`then`); each cell must be complete."""
    sums: dict[tuple[int, int, int, int], list[int]] = {}
    for fact in facts:
        judged = fact.verdict_after if then else fact.counting
        counts = sums.setdefault((fact.protocol, fact.run, fact.problem, fact.item), [0, 0, 0, 0])
        if judged is not None:
            counts[0] += 1
            counts[1] += judged.accepted
        elif fact.state not in (SampleState.GAVE_UP, SampleState.STUCK):
            counts[2] += 1
        counts[3] += fact.state == SampleState.STUCK
    by_protocol: dict[int, list[Cell]] = {}
    for (protocol, run, problem, item), (n, c, pending, errors) in sums.items():
        by_protocol.setdefault(protocol, []).append(Cell(run, problem, n, c, pending, errors, item))
    return {protocol: tuple(cells) for protocol, cells in by_protocol.items()}


def flips_of(facts: Iterable[SampleVerdicts]) -> list[Flip]:
    """Return the verdicts that a commit would replace, in order of samples."""
    return sorted(
        (Flip(fact.protocol, fact.sample, fact.counting, fact.instead) for fact in facts
         if fact.counting is not None and fact.instead is not None),
        key=lambda flip: flip.sample,
    )  # fmt: skip


def lost_of(facts: Iterable[SampleVerdicts]) -> list[int]:
    """Return the verdicts that a commit leaves without a successor, in order."""
    return sorted(fact.counting.id for fact in facts if fact.counting is not None and fact.is_lost)


def digest_of(flips: Iterable[Flip], lost: Iterable[int] = ()) -> str:
    """Return a digest of the approved changes: which verdicts replace which, and which have no successor."""
    changes = [*(f"{flip.old.id}>{flip.new.id}" for flip in flips), *(f"{number}>" for number in lost)]
    return hashlib.sha256(" ".join(changes).encode()).hexdigest()


def confirmation_phrase(rejudging_id: int, digest: str) -> str:
    """Return the text that a person types to confirm these moves: the rejudging's number and a word from the digest."""
    return f"{rejudging_id} {_CONFIRMATION_WORDS[int(digest[:8], 16) % len(_CONFIRMATION_WORDS)]}"


def changes_of(flips: Sequence[Flip]) -> dict[str, int]:
    """Count the verdicts that differ from before, and those among them that decide a score."""
    return {
        "answers": len(flips),
        "changed": sum(flip.old.verdict != flip.new.verdict for flip in flips),
        "accepted_to_other": sum(flip.old.accepted and not flip.new.accepted for flip in flips),
        "other_to_accepted": sum(flip.new.accepted and not flip.old.accepted for flip in flips),
    }


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Place of a row; both None if it is not ranked or missing."""

    rank: int | None
    score: float | None


@dataclass(frozen=True, slots=True)
class RowMove:
    """Row of a board whose place or score differs."""

    model: str
    configuration: str
    run: int
    before: BoardPlace
    after: BoardPlace

    @property
    def size(self) -> tuple[int, float]:
        """Number of ranks and points, for sorting; gaining or losing a rank is more than any move."""
        old, new = self.before.rank, self.after.rank
        ranks = _MAX_RANKS if (old is None) != (new is None) else abs((old or 0) - (new or 0))
        return ranks, abs((self.after.score or 0.0) - (self.before.score or 0.0))


def board_moves(before: Board, after: Board) -> tuple[RowMove, ...]:
    """Return the rows whose place or score differs between two boards, the biggest move first."""
    old, new = ({row.run: row for row in board.rows} for board in (before, after))
    shifts = []
    for run in dict.fromkeys([*old, *new]):
        row = new.get(run) or old[run]
        places = _place_of(old.get(run)), _place_of(new.get(run))
        if places[0] != places[1]:
            shifts.append(RowMove(row.model, row.configuration, run, *places))
    return tuple(sorted(shifts, key=lambda move: (*(-value for value in move.size), move.run)))


def _place_of(row: BoardRow | None) -> BoardPlace:
    return BoardPlace(None, None) if row is None else BoardPlace(row.rank, row.score)


def moves_json(shifts: Iterable[RowMove]) -> list[dict[str, Any]]:
    """Return moves as they are stored and shown."""
    return [asdict(move) for move in shifts]
