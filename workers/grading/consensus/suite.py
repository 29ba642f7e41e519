"""The build of a problem's suite from setters' answers: all of them are run, compared with each other, and proven."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.domain.consensus.admission import LEAST_TRUTHS, ConsensusEvidence, is_compared, refusal, shortfall
from app.domain.consensus.agreement import ConsensusAgreement
from app.domain.consensus.answers import AnswerId, SetterAnswer, SetterRole
from app.domain.consensus.checkers import CheckerTrial
from app.domain.consensus.legality import LEAST_PROBE_SCORE, best_validator
from app.domain.consensus.resizing import smaller_inputs
from app.domain.consensus.result import ProvingProgram
from app.domain.consensus.table import ConsensusTable as Everything
from app.domain.consensus.table import find_agreement
from app.domain.consensus.vendors import OPERATOR
from app.domain.problems import Form, ProblemSpec
from app.domain.reasons import Reason, error_reason
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.grammars.grammar import Grammar
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.consensus import checkers, interactors
from workers.grading.consensus.answer_table import OTHER_ANSWER, AnswerTable, describe_failure
from workers.grading.consensus.contributions import ContributionState, SetterContributions
from workers.grading.consensus.inputs import (
    Legality,
    SuiteBudget,
    UnfitGenerator,
    classify_by_size,
    constraint_inputs,
    distinct,
    find_illegal_kind,
    generate,
    parse_input,
)
from workers.grading.consensus.joint_checker import failed_checker, joint_checker
from workers.grading.consensus.program_runner import (
    DeciderFailed,
    ProgramRunner,
    SetterProgram,
    TimeBudgetExceeded,
    UnrunnableProgram,
    digest_of,
)
from workers.grading.consensus.proof import prove_suite
from workers.grading.consensus.selection import CheckerSelection
from workers.grading.consensus.suite_draft import SuiteDraft
from workers.grading.graders import HelperFailed
from workers.grading.testing.inputs import NamedProgram

SUITE_FORMS = (Form.STDIN, Form.FUNCTION, Form.CLASS, Form.INTERACTIVE)  # of problems for which suites are built


def build_suite(
    judge: AnsweringJudge,
    problem: ProblemSpec,
    answers: Sequence[SetterAnswer],
    *,
    has_checker: bool = True,
    effort: SuiteBudget | None = None,
    known_wrong: Sequence[ProvingProgram] = (),
    earlier: Sequence[SetterAnswer] = (),
    constraints: Grammar | None = None,
) -> SuiteDraft:
    """Build the suite of a problem, whose tests are its samples, from the answers of setters.

    `has_checker`: the comparison of answers is known; else setters' checkers must decide. The suite must reject the
    `known_wrong` programs, and the `earlier` solutions, which were replaced, if they are wrong by the accepted answers.
    `constraints` are those read from the statement: inputs are also made by them, and they have a vote.
    Raises JudgeError or SandboxUnavailable if the judge fails.
    """
    effort = effort or SuiteBudget()
    runner = ProgramRunner(judge, problem, effort.max_s, effort.helper_ms)
    remaining, broken = list(answers), dict[AnswerId, ContributionState]()
    while True:
        part = _SuiteBuild(runner, SetterContributions(remaining, judge.refusal), effort, has_checker=has_checker)
        part.known_wrong = [NamedProgram(one.name, one.code, one.language) for one in known_wrong]
        part.earlier, part.constraints = earlier, constraints
        try:
            part.run()
            part.tell_of_doubts()
        except TimeBudgetExceeded:
            part.draft.reason = Reason("long_build", {"n": round(effort.max_s)})
            part.draft.ours = part.draft.passing = True
        except HelperFailed as failed:
            answer_id = part.culprit(failed)
            if answer_id is None:
                raise
            # It worked while it was tried and fails now: that is its setter's fault, and all that it decided is void.
            broken[answer_id] = ContributionState("refuted", Reason("fails", cause=error_reason(failed)))
            remaining = [answer for answer in remaining if answer.answer_id != answer_id]
            runner.problem, runner.interactors = problem, ()
            continue
        part.draft.states |= broken
        if part.entrants.left_out and not part.draft.admitted:
            part.draft.ours = part.draft.passing = True
        part.draft.judge_s = round(runner.judge_s, 1)
        return part.draft


class _SuiteBuild:
    def __init__(
        self, runner: ProgramRunner, entrants: SetterContributions, effort: SuiteBudget, *, has_checker: bool
    ) -> None:
        self.runner, self.entrants, self._effort, self._has_checker = runner, entrants, effort, has_checker
        self._first = runner.problem  # before a setter's checker or interactor decides
        self.known_wrong: list[NamedProgram] = []
        self._large: Collection[str] = ()  # inputs that are large by their sizes, as JSON
        self.earlier: Sequence[SetterAnswer] = ()
        self.constraints: Grammar | None = None
        self._misjudged: Mapping[AnswerId, tuple[Any, str]] = {}  # by validator: a probe, and its wrong vote
        self._by: dict[bytes, set[str]] = defaultdict(set)  # the vendors that brought an input, by its digest
        known = has_checker if runner.problem.form is not Form.INTERACTIVE else runner.problem.interactor is not None
        self._choice = CheckerSelection(trial=CheckerTrial(known=known))
        self.draft = SuiteDraft(runner.problem, entrants.states)

    def run(self) -> None:
        """Fill in `draft`. Raises TimeBudgetExceeded."""
        if self.runner.problem.form not in SUITE_FORMS:
            self.draft.reason = Reason("form_without_suite", {"what": self.runner.problem.form.value})
            self.draft.ours = True
            return
        legality = self._legality()
        samples = [Candidate(InputKind.EXAMPLE, test.input) for test in self.runner.problem.tests]
        inputs = self._inputs(legality, samples)
        inputs, self._large = classify_by_size(legality, inputs)
        self._choose_interactors([*samples, *inputs])
        if self.runner.problem.form is Form.INTERACTIVE and not is_compared(self._comparers):
            self.draft.reason = refusal(self._before_anything_is_answered(legality, inputs))
            return
        table = AnswerTable(self.runner, self.entrants, self._effort.brute_ms)
        table.ask(inputs)
        self._choose_checker(table)
        agreement = self._ruling(legality, table)
        self._tell_programs(table, agreement)
        evidence = self._evidence(table, agreement, legality)
        self.draft.reason = shortfall(evidence)
        if self.draft.reason is not None:
            return
        proof = prove_suite(
            self.runner, self._effort, self.draft, table, agreement, known_wrong=self.known_wrong,
            earlier=self.earlier, large=self._large,
            checkers=[] if self.draft.checker is None else list(map(checkers.as_checker, self._choice.deciding)),
        )  # fmt: skip
        self.draft.reason = refusal(replace(evidence, proof=proof))
        if self.draft.reason is not None:
            self._ask_for_more(self.draft.reason)

    def tell_of_doubts(self) -> None:
        """Tell validators their misjudged probes if there is no suite and inputs were refused, perhaps by them."""
        if self.draft.reason is None or not self.draft.dropped["illegal"]:
            return
        for answer_id, (witness, said) in self._misjudged.items():
            state = self.entrants.states.get(answer_id)  # the statement's constraints have none
            if state is not None and state.word in ("chosen", "votes"):
                self.entrants.set_state(answer_id, "short", Reason("knows", cause=state.reason), witness, said=said)

    def culprit(self, failed: HelperFailed) -> AnswerId | None:
        """Return the setter's checker or interactor that failed; None if it is no setter's."""
        if isinstance(failed, DeciderFailed) and self._choice.deciding:
            return self._choice.deciding[failed.place].answer_id
        place = failed_checker(str(failed))
        if place is not None and place < len(self._choice.deciding):
            return self._choice.deciding[place].answer_id
        return self.draft.checker or self.draft.interactor

    def _legality(self) -> Legality:
        set_state, validators = self.entrants.set_state, self.entrants.sources[SetterRole.VALIDATOR]
        legality = Legality(self.runner, validators, self.entrants.probes, self.constraints)
        for answer_id, reason in legality.broken.items():
            set_state(answer_id, "failed", reason)
        self.draft.validator, self._misjudged = best_validator(legality.trials), legality.misjudged
        for trial in legality.trials:
            share = Reason("probes_share", {"value": f"{trial.score():.2f}"})
            if not trial.accepts_samples:
                place = next(at for at, let_in in enumerate(trial.samples) if let_in is not True)
                witness = self.runner.problem.tests[place].input
                set_state(trial.answer_id, "refuted", Reason("refuses_sample"), witness, expected="it is legal")
            elif trial.answer_id == self.draft.validator:
                set_state(trial.answer_id, "chosen", share)
            elif trial.answer_id in legality.electorate.voters.values():
                set_state(trial.answer_id, "votes", share)
            elif trial.score() < LEAST_PROBE_SCORE:
                witness, said = legality.misjudged.get(trial.answer_id, (None, ""))
                set_state(trial.answer_id, "refuted", Reason("knows", cause=share), witness, said=said or None)
            else:
                set_state(trial.answer_id, "unused", share)
        return legality

    def _inputs(self, legality: Legality, samples: list[Candidate]) -> list[Candidate]:
        """Return every legal input that setters wrote or their generators print, except the samples."""
        probes = ((answer_id, text) for answer_id, own in self.entrants.probes.items() for text in own.legal)
        written = []
        for answer_id, text in (*self.entrants.hacks, *probes):
            given = parse_input(self.runner, text)
            if given is not None:
                written.append(self._brought(Candidate(InputKind.SMALL, given), answer_id.vendor))
        legal = self._legal(legality, distinct(written, samples))
        for generator in self.entrants.sources[SetterRole.GENERATOR]:
            count = self._effort.inputs_of(generator.answer_id.role)
            made = distinct(self._printed(generator, count), [*samples, *legal])
            new = self._legal(legality, made)
            if made and not new:
                self.entrants.set_state(generator.answer_id, "refuted", Reason("illegal_inputs"), made[0].given)
            elif illegal := find_illegal_kind(made, new):
                reason = Reason("illegal_kind", {"what": illegal.kind.value})
                self.entrants.set_state(generator.answer_id, "short", reason, illegal.given)
            legal += new
        if legality.rules is not None:
            own = constraint_inputs(self.runner, legality.rules, self._effort.own_amounts)
            new = self._legal(legality, distinct(own, [*samples, *legal]))
            self.draft.evidence["by_constraints"] = len(new)
            legal += new
        return legal

    def _printed(self, generator: SetterProgram, counts: Mapping[InputKind, int], first: int = 1) -> list[Candidate]:
        try:
            made = generate(self.runner, generator, counts, first)
        except (UnfitGenerator, UnrunnableProgram) as unfit:
            self.entrants.set_state(generator.answer_id, "refuted", error_reason(unfit))
            return []
        if self.entrants.states[generator.answer_id].word != "short":  # a second call does not mend its shortfall
            self.entrants.set_state(generator.answer_id, "used")
        return [self._brought(one, generator.answer_id.vendor) for one in made]

    def _brought(self, candidate: Candidate, vendor: str) -> Candidate:
        self._by[digest_of([candidate.given])].add(vendor)
        return candidate

    def _legal(self, legality: Legality, candidates: list[Candidate]) -> list[Candidate]:
        legal = legality.legal(candidates)
        self.draft.dropped["illegal"] += len(candidates) - len(legal)
        return legal

    def _choose_interactors(self, inputs: Sequence[Candidate]) -> None:
        problem = self.runner.problem
        if problem.form is not Form.INTERACTIVE or not inputs:
            return
        if problem.interactor is not None:
            self.runner.interactors = (problem.interactor,)
            return
        sources = self.entrants.sources
        choice = interactors.choose(self.runner, sources[SetterRole.INTERACTOR], sources[SetterRole.SOLUTION], inputs)
        self._tell_choice(sources[SetterRole.INTERACTOR], choice)
        if choice.deciding:
            self.draft.interactor = choice.deciding[0].answer_id
            self.runner.interactors = tuple(map(interactors.as_interactor, choice.deciding))
            self.runner.problem = replace(problem, interactor=self.runner.interactors[0])

    def _choose_checker(self, table: AnswerTable) -> None:
        """Let setters' checkers decide if the comparison of answers is not known, and the operator's in any case."""
        sources = self.entrants.sources[SetterRole.CHECKER]
        if self._has_checker:  # only the operator's may replace it
            sources = [source for source in sources if source.answer_id.vendor == OPERATOR]
        if not sources or self.runner.problem.form is not Form.STDIN:
            return
        choice = checkers.choose(self.runner, sources, table.small_inputs(), known=self._has_checker)
        self._tell_choice(sources, choice)
        if choice.deciding:
            self.draft.checker = choice.deciding[0].answer_id
            checker = joint_checker([source.code for source in choice.deciding])
            self.runner.problem = replace(self.runner.problem, checker=checker)

    def _tell_choice(self, sources: Sequence[SetterProgram], choice: CheckerSelection) -> None:
        self._choice = choice
        for source in sources:
            self.entrants.set_state(source.answer_id, "unused", Reason("no_other_vendor"))
        for answer_id, reason in choice.refused.items():
            given, words, said = choice.shows.get(answer_id, (None, None, None))
            self.entrants.set_state(answer_id, "refuted", reason, given, answer=words, said=said)
        for source in choice.deciding:
            self.entrants.set_state(source.answer_id, "chosen" if source is choice.deciding[0] else "agrees")

    @property
    def _comparers(self) -> Collection[AnswerId] | None:
        """The programs that decide how answers are compared; None if that is known."""
        known = self._choice.trial.known and not self._choice.deciding
        return None if known else [source.answer_id for source in self._choice.deciding]

    def _ruling(self, legality: Legality, table: AnswerTable) -> ConsensusAgreement:
        """Find the accepted answers. If programs contradict each other, try more small inputs to tell who is right."""
        deciding: list[AnswerId | None] = [source.answer_id for source in self._choice.deciding]
        checkers_of = [checkers.as_checker(source) for source in self._choice.deciding]
        if self._choice.trial.known:
            deciding.append(None)
            checkers_of.append(self._first.checker)
        languages = {program.answer_id: program.language for program in self.entrants.programs}
        with self.runner.open_checkers(checkers_of) as decides:
            comparing = dict(zip(deciding, decides, strict=True))

            def ruled() -> ConsensusAgreement:
                inputs = table.evaluated_inputs(comparing, legality.votes, self._by)
                return find_agreement(Everything(inputs, languages, legality.electorate, self._choice.trial))

            agreement = ruled()
            if agreement.dissent:
                disputed = sorted((table.inputs[place] for place in agreement.dissent), key=lambda one: one.size)
                table.ask(self._sought(legality, table, disputed))
                agreement = ruled()
        return agreement

    def _sought(self, legality: Legality, table: AnswerTable, disputed: Sequence[Candidate]) -> list[Candidate]:
        """Return more small inputs of the generators, and shrunk ones of the smallest disputed inputs."""
        first = 1 + self._effort.counts[InputKind.SMALL]
        made: list[Candidate] = []
        for generator in self.entrants.sources[SetterRole.GENERATOR]:
            if self.entrants.states[generator.answer_id].word in ("used", "short"):
                made += self._printed(generator, {InputKind.SMALL: self._effort.extra_inputs}, first)
        like: list[Candidate] = []
        for one in disputed[: self._effort.shrunk_inputs]:
            for less in (Candidate(InputKind.SMALL, given) for given in smaller_inputs(one.given)):
                self._by[digest_of([less.given])] |= self._by[digest_of([one.given])]
                like.append(less)
        return [
            *self._legal(legality, distinct(made, table.inputs)),
            *legality.legal(distinct(like, [*table.inputs, *made])),
        ]

    def _tell_programs(self, table: AnswerTable, agreement: ConsensusAgreement) -> None:
        disputed = agreement.objectors | {one: at for at, objectors in agreement.dissent.items() for one in objectors}
        for program in self.entrants.programs:
            answer_id = program.answer_id
            if self.entrants.states[answer_id].word == "failed":
                continue
            if answer_id in agreement.refuted:
                place = agreement.refuted[answer_id]
                why, said = describe_failure(table.attempts[answer_id][place]), table.answer_of(answer_id, place)
                right = None
                if self._may_be_told(table, agreement, answer_id, place):
                    right = table.values(place)[agreement.expected[place]]
                self.entrants.set_state(answer_id, "refuted", why, table.inputs[place].given, said=said, expected=right)
            elif not any(attempt is not None and attempt.answered for attempt in table.attempts[answer_id]):
                self.entrants.set_state(answer_id, "failed", Reason("nothing_in_time"))
            elif answer_id in disputed:
                witness, said = table.inputs[disputed[answer_id]].given, table.answer_of(answer_id, disputed[answer_id])
                self.entrants.set_state(answer_id, "contradicted", Reason("nobody_right"), witness, said=said)
            else:
                self.entrants.set_state(answer_id, "agrees")

    def _may_be_told(self, table: AnswerTable, agreement: ConsensusAgreement, answer_id: AnswerId, place: int) -> bool:
        """Return whether a setter may learn the right answer: a brute force must stay independent of other answers."""
        if place not in agreement.expected:
            return False
        brutes = (table.answer_of(source.answer_id, place) for source in self.entrants.sources[SetterRole.BRUTE])
        by_brutes = answer_id.role is SetterRole.SOLUTION and any(said is not None for said in brutes)
        return table.inputs[place].kind is InputKind.EXAMPLE or by_brutes

    def _before_anything_is_answered(self, legality: Legality, inputs: Sequence[Candidate]) -> ConsensusEvidence:
        return ConsensusEvidence(
            tuple(legality.electorate.voters.values()), (), (), legal=len(inputs), truths=0, disputed=0, large=0,
            dissent=0, answered_large=0, comparers=self._comparers, form=self.runner.problem.form,
        )  # fmt: skip

    def _evidence(self, table: AnswerTable, agreement: ConsensusAgreement, legality: Legality) -> ConsensusEvidence:
        states = self.entrants.states
        brutes = [source.answer_id for source in self.entrants.sources[SetterRole.BRUTE]]
        solutions = self.entrants.sources[SetterRole.SOLUTION]
        self.draft.references = tuple(s for s in solutions if states[s.answer_id].word in ("agrees", "contradicted"))
        refuted = (s for s in solutions if states[s.answer_id].word == "refuted")
        self.draft.wrong = tuple(s for s in refuted if states[s.answer_id].reason.startswith(OTHER_ANSWER))
        places = range(len(table.inputs))
        reached = {at for at in places if any(table.answer_of(brute, at) is not None for brute in brutes)}
        disputed = sum(at in reached or table.inputs[at].kind is InputKind.EXAMPLE for at in agreement.dissent)
        self.draft.dropped["dissent"] = len(agreement.dissent)
        self.draft.dropped["illegal"] += len(agreement.contested)
        evidence = ConsensusEvidence(
            validators=tuple(legality.electorate.voters.values()),
            brutes=[brute for brute in brutes if states[brute].word in ("agrees", "contradicted")]
            + [one.answer_id for one in self.draft.references if one.answer_id.vendor == OPERATOR],
            references=[source.answer_id for source in self.draft.references],
            comparers=self._comparers,
            form=self.runner.problem.form,
            legal=sum(candidate.kind is not InputKind.EXAMPLE for candidate in table.inputs),
            truths=agreement.truths,
            disputed=disputed,
            contested=len(agreement.contested),
            large=len(places) - len(reached),
            dissent=len(agreement.dissent) - disputed,
            answered_large=sum(json.dumps(table.inputs[at].given) in self._large for at in agreement.expected),
        )
        if not self._large:
            self._ask_for_more(Reason("no_large_input"))
        has_other_cause = evidence.disputed or evidence.form is Form.INTERACTIVE or not is_compared(evidence.comparers)
        if evidence.truths < LEAST_TRUTHS and not has_other_cause:
            self._ask_for_more(Reason("few_small_answers"))
        self.draft.evidence |= {
            "legal": evidence.legal, "answered": len(agreement.expected), "truths": evidence.truths,
            "disputed": evidence.disputed, "large": evidence.large, "dissent": evidence.dissent,
            "answered_large": evidence.answered_large, "vendors": sorted({answer_id.vendor for answer_id in states}),
        }  # fmt: skip
        return evidence

    def _ask_for_more(self, reason: str) -> None:
        """Mark the generators as short of inputs, since no program was wrong and the inputs do not suffice."""
        for generator in (source.answer_id for source in self.entrants.sources[SetterRole.GENERATOR]):
            if self.entrants.states[generator].word == "used":
                self.entrants.set_state(generator, "short", reason)
