"""The selection of the checkers or interactors that decide, by their verdicts on the same cases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.domain.consensus.answers import AnswerId
from app.domain.consensus.checkers import CheckerCase, CheckerTrial, choose_deciding
from workers.grading.consensus.program_runner import SetterProgram

Shown = tuple[Any, str | None, str]  # an input, an output or dialogue about it, and the verdict in words


@dataclass(frozen=True, slots=True)
class TrialInput:
    """An input with `words`: an output, or a text sent to an interactor; None stands for a solution's own dialogue."""

    given: Any
    words: str | None
    case: CheckerCase

    def show(self, *, accepts: bool, noun: str) -> Shown:
        """Return this as an example of what a program accepts or refuses."""
        verb = "accepts" if accepts else "refuses"
        return self.given, self.words, f"it {verb} {'a solution' if self.words is None else noun}"


@dataclass(frozen=True, slots=True)
class CheckerSelection:
    """The programs that decide together, the chosen one first; why each other one does not, and an example of it."""

    deciding: tuple[SetterProgram, ...] = ()
    refused: Mapping[AnswerId, str] = field(default_factory=dict)
    shows: Mapping[AnswerId, Shown] = field(default_factory=dict)
    trial: CheckerTrial = field(default_factory=CheckerTrial)


def select_checkers(
    sources: Sequence[SetterProgram],
    scenarios: Sequence[TrialInput],
    says: Mapping[AnswerId, Sequence[bool]],
    unfit: Mapping[AnswerId, tuple[str, Shown | None]],
    *,
    known: bool,
    noun: str,
) -> CheckerSelection:
    """Select the programs that decide by their verdicts, `says`.

    `noun` names the thing that is accepted or refused; `unfit` holds the reasons why other programs are out.
    """
    hearing = CheckerTrial([scenario.case for scenario in scenarios], says, known=known)
    decision = choose_deciding(hearing)
    by_answer_id = {source.answer_id: source for source in sources}
    refused = {answer_id: reason for answer_id, (reason, _) in unfit.items()} | dict(decision.refused)
    shows = {answer_id: shown for answer_id, (_, shown) in unfit.items() if shown is not None}
    deciding = tuple(by_answer_id[answer_id] for answer_id in decision.deciding if answer_id is not None)
    first = [says[source.answer_id] for source in deciding[:1]]
    for answer_id in decision.refused:
        others = first or [verdicts for other, verdicts in says.items() if other.vendor != answer_id.vendor]
        differ = [at for at in range(len(scenarios)) if any(other[at] is not says[answer_id][at] for other in others)]
        differ.sort(key=lambda at: (not scenarios[at].case.exact, scenarios[at].words is None))
        if differ:
            shows[answer_id] = scenarios[differ[0]].show(accepts=says[answer_id][differ[0]], noun=noun)
    return CheckerSelection(deciding, refused, shows, hearing)
