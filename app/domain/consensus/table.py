"""Table of all evidence about a problem, and the one rule over it: with all vendors, and without each one.

The rule decides which inputs are legal, which programs compare answers, which programs are refuted and which answers
stand. It is applied again without each vendor: without its validators, its probes, its programs of every role, and the
inputs that it alone brought. An answer that would then be another one does not stand. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.domain.consensus.agreement import AnswerRow, ConsensusAgreement, MissingAnswer, agree_on_rows
from app.domain.consensus.answers import AnswerId
from app.domain.consensus.checkers import CheckerTrial, CheckerView, MergedView, choose_deciding, merge_views
from app.domain.consensus.legality import ValidatorPanel

_OTHER_ANSWER: Final = -1  # number of an answer that equals no other


@dataclass(frozen=True, slots=True)
class InputEvidence:
    """Input by its size in bytes, with the view of each comparing program and the votes of validators.

    The known way of comparing has the key None. `by` are the vendors that brought it, empty for our own. A sample is
    `stated` to be legal.
    """

    size: int
    views: Mapping[AnswerId | None, CheckerView]
    votes: Mapping[AnswerId, bool | None] = field(default_factory=dict)
    by: frozenset[str] = frozenset()
    stated: bool = False


@dataclass(frozen=True, slots=True)
class ConsensusTable:
    """Evidence about a problem: inputs, the languages of programs, validators, and the trial of comparing programs.

    Without `electorate` all inputs are legal.
    """

    inputs: Sequence[InputEvidence]
    languages: Mapping[AnswerId, str]
    validator_panel: ValidatorPanel | None = None
    checker_trial: CheckerTrial = field(default_factory=CheckerTrial)

    @property
    def vendors(self) -> list[str]:
        """Every vendor that takes part."""
        of_programs = (
            answer_id.vendor
            for evidence in self.inputs
            for view in evidence.views.values()
            for answer_id in view.answers
        )
        electors = self.validator_panel.vendors if self.validator_panel is not None else ()
        return sorted({*of_programs, *electors, *(answer_id.vendor for answer_id in self.checker_trial.says)})

    def rows(self, without: str | None = None) -> dict[int, AnswerRow]:
        """Return the rows for the agreement, by the places of their inputs, without one vendor."""
        deciding = choose_deciding(self.checker_trial, without).deciding
        rows: dict[int, AnswerRow] = {}
        for place, evidence in enumerate(self.inputs):
            views = [evidence.views[answer_id] for answer_id in deciding if answer_id in evidence.views]
            if views and len(views) == len(deciding) and self._is_usable(evidence, without):
                view = _mark_refused(merge_views(views, without), deciding)
                doubt = (
                    self.validator_panel.refusing_vendors(evidence.votes, without)
                    if self.validator_panel is not None
                    else frozenset()
                )
                rows[place] = AnswerRow(evidence.size, view.answers, view.stated, view.unclear, doubt)
        return rows

    def _is_usable(self, evidence: InputEvidence, without: str | None) -> bool:
        if evidence.stated:
            return True
        if evidence.by and not evidence.by - {without}:
            return False
        return self.validator_panel is None or self.validator_panel.is_legal(evidence.votes, without)


def _mark_refused(view: MergedView, deciding: Sequence[AnswerId | None]) -> MergedView:
    """Turn an answer that the other vendors' interactors call wrong into an answer of its own.

    It stays wrong if another program of its vendor is accepted, or its vendor's own interactor decides, too.
    """
    accepted = {answer_id.vendor for answer_id, answer in view.answers.items() if isinstance(answer, int)}
    accepted |= {answer_id.vendor for answer_id in deciding if answer_id is not None}
    answers = {
        answer_id: _OTHER_ANSWER
        if answer is MissingAnswer.WRONG and answer_id.vendor not in accepted and None not in deciding
        else answer
        for answer_id, answer in view.answers.items()
    }
    return view._replace(answers=answers)


def find_agreement(table: ConsensusTable) -> ConsensusAgreement:
    """Return the agreement over the whole table. Equally good answers have the least of their numbers."""
    rows = table.rows()
    agreement = agree_on_rows(rows, table.languages)
    for vendor in table.vendors:
        rest = table.rows(vendor)
        others = agree_on_rows(rest, table.languages).expected
        for place, answer in list(agreement.expected.items()):
            if place in others and not _are_equal(table, place, answer, others[place]):
                del agreement.expected[place]
                agreement.dissent[place] = tuple(
                    answer_id for answer_id in rows[place].answers if answer_id.vendor == vendor
                )
    return agreement


def _are_equal(table: ConsensusTable, place: int, answer: int, other: int) -> bool:
    """Return whether two answers are equally good for all deciding programs."""
    deciding = choose_deciding(table.checker_trial).deciding
    pair = (min(answer, other), max(answer, other))
    return answer == other or all(pair in table.inputs[place].views[answer_id].alike for answer_id in deciding)
