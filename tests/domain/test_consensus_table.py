"""The whole table without any vendor: its programs of every role, its probes and its inputs decide nothing alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from app.domain.consensus.agreement import MissingAnswer
from app.domain.consensus.answers import AnswerId, SetterRole
from app.domain.consensus.checkers import CheckerCase, CheckerTrial, CheckerView, choose_deciding
from app.domain.consensus.legality import ValidatorPanel, ValidatorTrial
from app.domain.consensus.table import ConsensusTable, InputEvidence, find_agreement
from app.domain.consensus.vendors import STATEMENT

VENDORS = "abcd"


def answer_id(vendor: str, role: SetterRole, ordinal: int = 0) -> AnswerId:
    return AnswerId(vendor, f"{vendor}-1", role, ordinal)


def validator(vendor: str, ordinal: int = 0) -> AnswerId:
    return answer_id(vendor, SetterRole.VALIDATOR, ordinal)


def checker(vendor: str) -> AnswerId:
    return answer_id(vendor, SetterRole.CHECKER)


def agreed(*vendors: str, answer: int = 1) -> dict[AnswerId, int | MissingAnswer]:
    """What brute forces and two solutions of each vendor say."""
    return {
        answer_id(vendor, role, ordinal): answer
        for vendor in vendors
        for role, ordinal in ((SetterRole.BRUTE, 0), (SetterRole.SOLUTION, 0), (SetterRole.SOLUTION, 1))
    }


def without(table: ConsensusTable, trials: Sequence[ValidatorTrial], vendor: str) -> ConsensusTable:
    """The table as it would be had a vendor never answered, made by hand."""

    def rest(said: Mapping[AnswerId, Any]) -> dict[AnswerId, Any]:
        return {one: value for one, value in said.items() if one.vendor != vendor}

    left = [
        replace(trial, probes=[probe for probe in trial.probes if probe[0] != vendor])
        for trial in trials
        if trial.answer_id.vendor != vendor
    ]
    inputs = [
        replace(
            one, by=one.by - {vendor}, votes=rest(one.votes),
            views={who: replace(view, answers=rest(view.answers)) for who, view in one.views.items()
                   if who is None or who.vendor != vendor},
        )
        if one.stated or not one.by or one.by - {vendor} else InputEvidence(one.size, {})
        for one in table.inputs
    ]  # fmt: skip
    kept = [at for at, case in enumerate(table.checker_trial.cases) if not case.by or case.by - {vendor}]
    hearing = CheckerTrial(
        [replace(table.checker_trial.cases[at], by=table.checker_trial.cases[at].by - {vendor}) for at in kept],
        {one: [said[at] for at in kept] for one, said in rest(table.checker_trial.says).items()},
        known=table.checker_trial.known,
    )
    return ConsensusTable(inputs, table.languages, table.validator_panel and ValidatorPanel(left), hearing)


PROGRAMS = [
    answer_id(vendor, role, ordinal)
    for vendor in VENDORS
    for role, ordinal in ((SetterRole.BRUTE, 0), (SetterRole.SOLUTION, 0), (SetterRole.SOLUTION, 1))
]
CHECKERS = [checker(vendor) for vendor in VENDORS]
VALIDATORS = [validator(vendor, at) for vendor in VENDORS for at in range(2)]


def made_by(rng: Random) -> tuple[ConsensusTable, list[ValidatorTrial]]:
    """Vendors that lie now and then in whatever they write: programs, validators, probes, checkers and inputs."""

    def lies(chance: float) -> bool:
        return rng.random() < chance

    def some() -> frozenset[str]:
        return frozenset(rng.sample(VENDORS, rng.randint(0, 2)))

    probed = [(rng.choice(VENDORS), lies(0.5)) for _ in range(rng.randint(0, 4))]
    trials = [
        ValidatorTrial(one, [True], [(who, legal, legal is not lies(0.2)) for who, legal in probed])
        for one in VALIDATORS
    ]
    cases = [CheckerCase(some(), exact=lies(0.5)) for _ in range(rng.randint(1, 3))]
    says = {one: [at > 0 if not lies(0.1) else at == 0 for at in range(len(cases))] for one in CHECKERS}
    inputs = []
    for size in range(rng.randint(2, 6)):
        large = lies(0.4)
        answers: dict[AnswerId, int | MissingAnswer] = {}
        for vendor in VENDORS:
            misreads = rng.choice([0, 0, 0, 1, 2])
            for one in (one for one in PROGRAMS if one.vendor == vendor and not lies(0.2)):
                late = large and one.role is SetterRole.BRUTE
                answers[one] = MissingAnswer.LATE if late else rng.choice([0, 1, 2]) if lies(0.15) else misreads
        pairs = frozenset(pair for pair in ((0, 1), (0, 2), (1, 2)) if lies(0.1))
        views: dict[AnswerId | None, CheckerView] = {
            one: CheckerView(answers, None, pairs if not lies(0.05) else frozenset({(0, 1)}))
            for one in (None, *CHECKERS)
        }
        inputs.append(InputEvidence(size, views, {one: not lies(0.1) for one in VALIDATORS}, some()))
    hearing = CheckerTrial(cases, says if lies(0.5) else {}, known=lies(0.5))
    return ConsensusTable(inputs, dict.fromkeys(PROGRAMS, "python"), ValidatorPanel(trials), hearing), trials


def tipped_by(rng: Random) -> tuple[ConsensusTable, list[ValidatorTrial]]:
    """Near a table in which one brute force chooses who of the others is refuted, and so which answer is left."""
    brutes = {vendor: answer_id(vendor, SetterRole.BRUTE) for vendor in VENDORS}
    first = {vendor: answer_id(vendor, SetterRole.SOLUTION) for vendor in VENDORS}
    more = {vendor: answer_id(vendor, SetterRole.SOLUTION, 1) for vendor in VENDORS}
    a, b, c, d = list(VENDORS)
    rows: list[dict[AnswerId, int | MissingAnswer]] = [
        {brutes[a]: 6, brutes[b]: 5, brutes[c]: 5, first[b]: 6},
        {brutes[a]: 5, brutes[c]: 5, first[c]: 6, more[c]: 6},
        {brutes[a]: 5, brutes[d]: 5, first[d]: 6},
        {first[a]: 1, more[a]: 1, first[b]: 1, first[c]: 2, more[c]: 2, first[d]: 2},
    ]
    for _ in range(rng.randint(0, 3)):
        row = rng.choice(rows)
        row[rng.choice([*row, *PROGRAMS])] = rng.choice([1, 2, 5, 6])
    inputs = [
        InputEvidence(size, {None: CheckerView(row)}, by=frozenset(rng.sample(VENDORS, 2)))
        for size, row in enumerate(rows)
    ]
    return ConsensusTable(inputs, dict.fromkeys(PROGRAMS, "python"), None, CheckerTrial()), []


TABLES = st.one_of([st.randoms(use_true_random=False).map(make) for make in (made_by, tipped_by)])


@settings(max_examples=examples(150))
@given(TABLES, st.sampled_from(VENDORS))
def test_without_any_vendor_every_answer_is_the_same_or_none(
    made: tuple[ConsensusTable, list[ValidatorTrial]], vendor: str
) -> None:
    table, trials = made
    full, part = find_agreement(table).expected, find_agreement(without(table, trials, vendor)).expected
    deciding = choose_deciding(table.checker_trial).deciding
    for place in full.keys() & part.keys():
        pair = (min(full[place], part[place]), max(full[place], part[place]))
        alike = (table.inputs[place].views[who].alike for who in deciding)
        assert full[place] == part[place] or all(pair in pairs for pairs in alike)


@settings(max_examples=examples(150))
@given(TABLES, st.sampled_from(VENDORS))
def test_no_vendor_alone_makes_an_input_legal_or_compares(
    made: tuple[ConsensusTable, list[ValidatorTrial]], vendor: str
) -> None:
    table, trials = made
    rest = without(table, trials, vendor)
    if table.validator_panel is not None and rest.validator_panel is not None:
        for one in table.inputs:
            said = [one.votes[who] for who in rest.validator_panel.voters.values()]
            if table.validator_panel.is_legal(one.votes):
                assert said.count(False) < 2 or said.count(False) <= said.count(True)
    for who in (table, rest):
        deciding = choose_deciding(who.checker_trial).deciding
        assert deciding in ((), (None,)) or len({one.vendor for one in deciding if one is not None}) >= 2


STRICT, LAX = validator("a"), validator("a", 1)


def test_who_probes_does_not_choose_another_vendors_vote() -> None:
    """With b's probes both of a's validators know half of all, and the lax one may be chosen; without b it is not."""
    votes = {STRICT: False, LAX: True, validator("b"): True, validator("c"): False}
    trials = [
        ValidatorTrial(STRICT, [True], [("b", True, True), ("b", True, False), ("c", False, False)]),
        ValidatorTrial(LAX, [True], [("b", True, True), ("b", True, True), ("c", False, False), ("c", False, False)]),
        ValidatorTrial(validator("b"), [True]), ValidatorTrial(validator("c"), [True]),
    ]  # fmt: skip
    tipped = ValidatorPanel(trials)
    assert tipped.voters["a"] == LAX, "two of three let it in"
    assert not tipped.is_legal(votes)
    assert tipped.all_voters == {STRICT, LAX, validator("b"), validator("c")}


def test_what_the_statement_says_is_a_voice_and_none_of_the_two_vendors() -> None:
    own = answer_id(STATEMENT, SetterRole.VALIDATOR)
    trials = [ValidatorTrial(one, [True]) for one in (own, validator("a"), validator("b"), validator("c"))]
    votes = {own: True, validator("a"): True, validator("b"): None, validator("c"): None}
    assert not ValidatorPanel(trials).is_legal(votes)
    assert ValidatorPanel(trials).is_legal({**votes, validator("b"): True})
    assert not ValidatorPanel(trials).is_legal({**votes, own: False, validator("b"): True, validator("c"): False})


def test_where_a_dissent_rests_on_legality_the_input_is_dropped() -> None:
    """Vendor c misses a bound that a and b read: what it answers beyond that holds nobody, and refutes nobody."""
    trials = [ValidatorTrial(validator(vendor), [True]) for vendor in "abc"]
    votes = {validator("a"): True, validator("b"): True, validator("c"): False}
    answers = {**agreed("a", "b"), **agreed("c", answer=2)}
    fails: dict[AnswerId, int | MissingAnswer] = {
        **agreed("a", "b"),
        **dict.fromkeys(agreed("c"), MissingAnswer.FAILED),
    }
    inputs = [InputEvidence(1, {None: CheckerView(one)}, votes) for one in (answers, fails)]
    agreement = find_agreement(ConsensusTable(inputs, dict.fromkeys(answers, "python"), ValidatorPanel(trials)))
    assert (agreement.expected, agreement.refuted, agreement.dissent, agreement.contested) == ({1: 1}, {}, {}, {0})
    legal = [replace(inputs[0], votes=dict.fromkeys(votes, True))]
    assert find_agreement(
        ConsensusTable(legal, dict.fromkeys(answers, "python"), ValidatorPanel(trials))
    ).dissent.keys() == {0}


def compared(says: Mapping[AnswerId, Sequence[bool]], cases: Sequence[CheckerCase], lax: str) -> ConsensusTable:
    """Two answers to one large input, which the checkers of the vendors in `lax` hold to be as good as each other."""
    answers = {**agreed("a", "b"), answer_id("c", SetterRole.SOLUTION): 2}
    views: dict[AnswerId | None, CheckerView] = {
        who: CheckerView(answers, None, frozenset({(1, 2)} if who.vendor in lax else ())) for who in CHECKERS
    }
    return ConsensusTable(
        [InputEvidence(9, views)],
        dict.fromkeys(answers, "python"),
        checker_trial=CheckerTrial(cases, says, known=False),
    )


def test_no_vendors_checker_makes_two_answers_equal_alone() -> None:
    says = {checker("a"): [True, False], checker("b"): [True, False]}
    cases = [CheckerCase(frozenset("ab")), CheckerCase()]
    assert find_agreement(compared(says, cases, lax="ab")).expected == {0: 1}
    assert find_agreement(compared(says, cases, lax="a")).dissent.keys() == {0}, "where they were not tried they differ"
    assert find_agreement(compared({checker("a"): [True, False]}, cases, lax="ab")).expected == {}
    third = {**says, checker("c"): [True, True]}
    assert find_agreement(compared(third, cases, lax="ab")).dissent.keys() == {0}, (
        "two that are lax do not outvote a third"
    )
    deaf = {**says, checker("c"): [False, False]}
    assert find_agreement(compared(deaf, cases, lax="ab")).expected == {0: 1}, "who accepts nothing does not hold it"


def test_two_interactors_alone_do_not_silence_a_third_vendors_solution() -> None:
    """They call its only solution wrong. That is a dissent, unless its own interactor or other solution says so too."""
    talkers = {vendor: answer_id(vendor, SetterRole.INTERACTOR) for vendor in "abc"}
    answers: dict[AnswerId, int | MissingAnswer] = {
        answer_id("a", SetterRole.SOLUTION): 0, answer_id("a", SetterRole.SOLUTION, 1): 0,
        answer_id("b", SetterRole.SOLUTION): 0, answer_id("c", SetterRole.SOLUTION): MissingAnswer.WRONG,
    }  # fmt: skip
    other = {**answers, answer_id("c", SetterRole.SOLUTION, 1): 0}

    def ruled(who: str, said: Mapping[AnswerId, int | MissingAnswer]) -> tuple[bool, bool]:
        hearing = CheckerTrial([CheckerCase(frozenset("ab"))], {talkers[name]: [True] for name in who}, known=False)
        views: dict[AnswerId | None, CheckerView] = {talkers[name]: CheckerView(said) for name in who}
        agreement = find_agreement(
            ConsensusTable([InputEvidence(9, views)], dict.fromkeys(said, "python"), checker_trial=hearing)
        )
        return bool(agreement.expected), answer_id("c", SetterRole.SOLUTION) in agreement.refuted

    assert ruled("ab", answers) == (False, False)
    assert ruled("abc", answers) == ruled("ab", other) == (True, True)


def test_two_that_lie_together_do_not_make_a_third_deaf() -> None:
    """They accept what their own programs say and refuse what c's do; c's checker says the opposite."""
    cases = [*[CheckerCase(frozenset("ab"))] * 20, CheckerCase(frozenset("c"))]
    lies, honest = [*[True] * 20, False], [*[False] * 20, True]
    hearing = CheckerTrial(cases, {checker("a"): lies, checker("b"): lies, checker("c"): honest}, known=False)
    assert choose_deciding(hearing).deciding == (checker("a"), checker("b"), checker("c"))


def test_two_that_decide_differ_about_no_answer_that_is_written_like_right_ones() -> None:
    cases = [CheckerCase()] * 60 + [CheckerCase(exact=True)]
    one, other = [False] * 61, [*[False] * 60, True]
    says = {checker("a"): one, checker("b"): other}
    assert choose_deciding(CheckerTrial(cases, says, known=False)).deciding == ()
    assert choose_deciding(CheckerTrial([*cases[:60], CheckerCase()], says, known=False)).deciding == (
        checker("a"),
        checker("b"),
    )


def test_without_a_vendor_what_it_alone_brought_is_gone() -> None:
    """Its inputs, and the cases by which two others differ."""
    answers = agreed("a", "b")
    brought = [InputEvidence(1, {None: CheckerView(answers)}, by=frozenset(by)) for by in ("", "c", "bc")]
    table = ConsensusTable(brought, dict.fromkeys(answers, "python"))
    assert (set(table.rows()), set(table.rows("c")), set(table.rows("b"))) == ({0, 1, 2}, {0, 2}, {0, 1, 2})
    cases = [*[CheckerCase(frozenset("ab"))] * 30, CheckerCase(frozenset("c"), exact=True)]
    says = {checker("a"): [True] * 31, checker("b"): [*[True] * 30, False]}
    hearing = CheckerTrial(cases, says, known=False)
    assert (choose_deciding(hearing).deciding, choose_deciding(hearing, "c").deciding) == (
        (),
        (checker("a"), checker("b")),
    )
