"""All that was found out about a problem in one table, and the one rule over it: with all vendors, and without any.

The rule decides what is legal, whose program compares answers, who is refuted and which answers stand. It is applied
again without each vendor: without its validators and its probes, its programs of every role, and the inputs that it
alone brought. An answer that would be another one then does not stand. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.domain.setting.answers import Piece
from app.domain.setting.comparing import Hearing, Seen, View, decided, seen
from app.domain.setting.consensus import Missing, Row, Ruling, ruling_over
from app.domain.setting.legality import Electorate

_ANOTHER: Final = -1  # the number of an answer that is like no other


@dataclass(frozen=True, slots=True)
class Input:
    """An input by its size in bytes: what everybody who compares answers sees in it, and what validators say.

    The known way of comparing has the key None. `by` are the vendors that brought it, empty for what is ours. A sample
    is `stated` to be legal.
    """

    size: int
    views: Mapping[Piece | None, View]
    votes: Mapping[Piece, bool | None] = field(default_factory=dict)
    by: frozenset[str] = frozenset()
    stated: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Inputs, the languages of programs, who votes on legality (None: all inputs are legal), and the hearing of those
    that compare answers."""

    inputs: Sequence[Input]
    languages: Mapping[Piece, str]
    electorate: Electorate | None = None
    hearing: Hearing = field(default_factory=Hearing)

    @property
    def vendors(self) -> list[str]:
        """Everybody who has a part in it."""
        of_programs = (piece.vendor for one in self.inputs for view in one.views.values() for piece in view.answers)
        electors = self.electorate.vendors if self.electorate is not None else ()
        return sorted({*of_programs, *electors, *(piece.vendor for piece in self.hearing.says)})

    def rows(self, without: str | None = None) -> dict[int, Row]:
        """The rows that consensus reads, by the places of their inputs, without one vendor."""
        deciding = decided(self.hearing, without).deciding
        found: dict[int, Row] = {}
        for place, one in enumerate(self.inputs):
            views = [one.views[piece] for piece in deciding if piece in one.views]
            if views and len(views) == len(deciding) and self._may_be_asked(one, without):
                view = _with_the_refused(seen(views, without), deciding)
                doubt = self.electorate.refusing(one.votes, without) if self.electorate is not None else frozenset()
                found[place] = Row(one.size, view.answers, view.stated, view.unclear, doubt)
        return found

    def _may_be_asked(self, one: Input, without: str | None) -> bool:
        if one.stated:
            return True
        if one.by and not one.by - {without}:
            return False
        return self.electorate is None or self.electorate.is_legal(one.votes, without)


def _with_the_refused(view: Seen, deciding: Sequence[Piece | None]) -> Seen:
    """What is called wrong by those it talked to, none of them its own vendor's, is another answer.

    Where another program of that vendor is accepted, or its own interactor decides too, it is wrong.
    """
    own = {piece.vendor for piece, said in view.answers.items() if isinstance(said, int)}
    own |= {piece.vendor for piece in deciding if piece is not None}
    answers = {
        piece: _ANOTHER if said is Missing.WRONG and piece.vendor not in own and None not in deciding else said
        for piece, said in view.answers.items()
    }
    return view._replace(answers=answers)


def consensus(table: Table) -> Ruling:
    """The ruling over the whole table. Answers are the least numbers of those that are as good as each other."""
    rows = table.rows()
    ruling = ruling_over(rows, table.languages)
    for vendor in table.vendors:
        rest = table.rows(vendor)
        others = ruling_over(rest, table.languages).expected
        for place, answer in list(ruling.expected.items()):
            if place in others and not _is_one(table, place, answer, others[place]):
                del ruling.expected[place]
                ruling.dissent[place] = tuple(piece for piece in rows[place].answers if piece.vendor == vendor)
    return ruling


def _is_one(table: Table, place: int, answer: int, other: int) -> bool:
    """Whether two answers are as good as each other for all that decide."""
    deciding = decided(table.hearing).deciding
    pair = (min(answer, other), max(answer, other))
    return answer == other or all(pair in table.inputs[place].views[piece].alike for piece in deciding)
