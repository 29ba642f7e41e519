"""The whole table without any vendor: its programs of every role, its probes and its inputs decide nothing alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from app.domain.setting.answers import Piece, Role
from app.domain.setting.comparing import Case, Hearing, View, decided
from app.domain.setting.consensus import Missing
from app.domain.setting.legality import Electorate, Trial
from app.domain.setting.table import Input, Table, consensus
from app.domain.setting.vendors import STATEMENT

VENDORS = "abcd"


def piece(vendor: str, role: Role, ordinal: int = 0) -> Piece:
    return Piece(vendor, f"{vendor}-1", role, ordinal)


def validator(vendor: str, ordinal: int = 0) -> Piece:
    return piece(vendor, Role.VALIDATOR, ordinal)


def checker(vendor: str) -> Piece:
    return piece(vendor, Role.CHECKER)


def agreed(*vendors: str, answer: int = 1) -> dict[Piece, int | Missing]:
    """What brute forces and two solutions of each vendor say."""
    return {
        piece(vendor, role, ordinal): answer
        for vendor in vendors
        for role, ordinal in ((Role.BRUTE, 0), (Role.SOLUTION, 0), (Role.SOLUTION, 1))
    }


def without(table: Table, trials: Sequence[Trial], vendor: str) -> Table:
    """The table as it would be had a vendor never answered, made by hand."""

    def rest(said: Mapping[Piece, Any]) -> dict[Piece, Any]:
        return {one: value for one, value in said.items() if one.vendor != vendor}

    left = [
        replace(trial, probes=[probe for probe in trial.probes if probe[0] != vendor])
        for trial in trials
        if trial.piece.vendor != vendor
    ]
    inputs = [
        replace(
            one, by=one.by - {vendor}, votes=rest(one.votes),
            views={who: replace(view, answers=rest(view.answers)) for who, view in one.views.items()
                   if who is None or who.vendor != vendor},
        )
        if one.stated or not one.by or one.by - {vendor} else Input(one.size, {})
        for one in table.inputs
    ]  # fmt: skip
    kept = [at for at, case in enumerate(table.hearing.cases) if not case.by or case.by - {vendor}]
    hearing = Hearing(
        [replace(table.hearing.cases[at], by=table.hearing.cases[at].by - {vendor}) for at in kept],
        {one: [said[at] for at in kept] for one, said in rest(table.hearing.says).items()}, known=table.hearing.known,
    )  # fmt: skip
    return Table(inputs, table.languages, table.electorate and Electorate(left), hearing)


PROGRAMS = [
    piece(vendor, role, ordinal)
    for vendor in VENDORS
    for role, ordinal in ((Role.BRUTE, 0), (Role.SOLUTION, 0), (Role.SOLUTION, 1))
]
CHECKERS = [checker(vendor) for vendor in VENDORS]
VALIDATORS = [validator(vendor, at) for vendor in VENDORS for at in range(2)]


def made_by(rng: Random) -> tuple[Table, list[Trial]]:
    """Vendors that lie now and then in whatever they write: programs, validators, probes, checkers and inputs."""

    def lies(chance: float) -> bool:
        return rng.random() < chance

    def some() -> frozenset[str]:
        return frozenset(rng.sample(VENDORS, rng.randint(0, 2)))

    probed = [(rng.choice(VENDORS), lies(0.5)) for _ in range(rng.randint(0, 4))]
    trials = [Trial(one, [True], [(who, legal, legal is not lies(0.2)) for who, legal in probed]) for one in VALIDATORS]
    cases = [Case(some(), exact=lies(0.5)) for _ in range(rng.randint(1, 3))]
    says = {one: [at > 0 if not lies(0.1) else at == 0 for at in range(len(cases))] for one in CHECKERS}
    inputs = []
    for size in range(rng.randint(2, 6)):
        large = lies(0.4)
        answers: dict[Piece, int | Missing] = {}
        for vendor in VENDORS:
            misreads = rng.choice([0, 0, 0, 1, 2])
            for one in (one for one in PROGRAMS if one.vendor == vendor and not lies(0.2)):
                late = large and one.role is Role.BRUTE
                answers[one] = Missing.LATE if late else rng.choice([0, 1, 2]) if lies(0.15) else misreads
        pairs = frozenset(pair for pair in ((0, 1), (0, 2), (1, 2)) if lies(0.1))
        views: dict[Piece | None, View] = {
            one: View(answers, None, pairs if not lies(0.05) else frozenset({(0, 1)})) for one in (None, *CHECKERS)
        }
        inputs.append(Input(size, views, {one: not lies(0.1) for one in VALIDATORS}, some()))
    hearing = Hearing(cases, says if lies(0.5) else {}, known=lies(0.5))
    return Table(inputs, dict.fromkeys(PROGRAMS, "python"), Electorate(trials), hearing), trials


def tipped_by(rng: Random) -> tuple[Table, list[Trial]]:
    """Near a table in which one brute force chooses who of the others is refuted, and so which answer is left."""
    brutes = {vendor: piece(vendor, Role.BRUTE) for vendor in VENDORS}
    first = {vendor: piece(vendor, Role.SOLUTION) for vendor in VENDORS}
    more = {vendor: piece(vendor, Role.SOLUTION, 1) for vendor in VENDORS}
    a, b, c, d = list(VENDORS)
    rows: list[dict[Piece, int | Missing]] = [
        {brutes[a]: 6, brutes[b]: 5, brutes[c]: 5, first[b]: 6},
        {brutes[a]: 5, brutes[c]: 5, first[c]: 6, more[c]: 6},
        {brutes[a]: 5, brutes[d]: 5, first[d]: 6},
        {first[a]: 1, more[a]: 1, first[b]: 1, first[c]: 2, more[c]: 2, first[d]: 2},
    ]
    for _ in range(rng.randint(0, 3)):
        row = rng.choice(rows)
        row[rng.choice([*row, *PROGRAMS])] = rng.choice([1, 2, 5, 6])
    inputs = [Input(size, {None: View(row)}, by=frozenset(rng.sample(VENDORS, 2))) for size, row in enumerate(rows)]
    return Table(inputs, dict.fromkeys(PROGRAMS, "python"), None, Hearing()), []


TABLES = st.one_of([st.randoms(use_true_random=False).map(make) for make in (made_by, tipped_by)])


@settings(max_examples=examples(150))
@given(TABLES, st.sampled_from(VENDORS))
def test_without_any_vendor_every_answer_is_the_same_or_none(made: tuple[Table, list[Trial]], vendor: str) -> None:
    table, trials = made
    full, part = consensus(table).expected, consensus(without(table, trials, vendor)).expected
    deciding = decided(table.hearing).deciding
    for place in full.keys() & part.keys():
        pair = (min(full[place], part[place]), max(full[place], part[place]))
        alike = (table.inputs[place].views[who].alike for who in deciding)
        assert full[place] == part[place] or all(pair in pairs for pairs in alike)


@settings(max_examples=examples(150))
@given(TABLES, st.sampled_from(VENDORS))
def test_no_vendor_alone_makes_an_input_legal_or_compares(made: tuple[Table, list[Trial]], vendor: str) -> None:
    table, trials = made
    rest = without(table, trials, vendor)
    if table.electorate is not None and rest.electorate is not None:
        for one in table.inputs:
            said = [one.votes[who] for who in rest.electorate.voters.values()]
            if table.electorate.is_legal(one.votes):
                assert said.count(False) < 2 or said.count(False) <= said.count(True)
    for who in (table, rest):
        deciding = decided(who.hearing).deciding
        assert deciding in ((), (None,)) or len({one.vendor for one in deciding if one is not None}) >= 2


STRICT, LAX = validator("a"), validator("a", 1)


def test_who_probes_does_not_choose_another_vendors_vote() -> None:
    """With b's probes both of a's validators know half of all, and the lax one may be chosen; without b it is not."""
    votes = {STRICT: False, LAX: True, validator("b"): True, validator("c"): False}
    trials = [
        Trial(STRICT, [True], [("b", True, True), ("b", True, False), ("c", False, False)]),
        Trial(LAX, [True], [("b", True, True), ("b", True, True), ("c", False, False), ("c", False, False)]),
        Trial(validator("b"), [True]), Trial(validator("c"), [True]),
    ]  # fmt: skip
    tipped = Electorate(trials)
    assert tipped.voters["a"] == LAX, "two of three let it in"
    assert not tipped.is_legal(votes)
    assert tipped.asked == {STRICT, LAX, validator("b"), validator("c")}


def test_what_the_statement_says_is_a_voice_and_none_of_the_two_vendors() -> None:
    own = piece(STATEMENT, Role.VALIDATOR)
    trials = [Trial(one, [True]) for one in (own, validator("a"), validator("b"), validator("c"))]
    votes = {own: True, validator("a"): True, validator("b"): None, validator("c"): None}
    assert not Electorate(trials).is_legal(votes)
    assert Electorate(trials).is_legal({**votes, validator("b"): True})
    assert not Electorate(trials).is_legal({**votes, own: False, validator("b"): True, validator("c"): False})


def test_where_a_dissent_rests_on_legality_the_input_is_dropped() -> None:
    """Vendor c misses a bound that a and b read: what it answers beyond that holds nobody, and refutes nobody."""
    trials = [Trial(validator(vendor), [True]) for vendor in "abc"]
    votes = {validator("a"): True, validator("b"): True, validator("c"): False}
    answers = {**agreed("a", "b"), **agreed("c", answer=2)}
    fails: dict[Piece, int | Missing] = {**agreed("a", "b"), **dict.fromkeys(agreed("c"), Missing.FAILED)}
    inputs = [Input(1, {None: View(one)}, votes) for one in (answers, fails)]
    ruling = consensus(Table(inputs, dict.fromkeys(answers, "python"), Electorate(trials)))
    assert (ruling.expected, ruling.refuted, ruling.dissent, ruling.doubted) == ({1: 1}, {}, {}, {0})
    legal = [replace(inputs[0], votes=dict.fromkeys(votes, True))]
    assert consensus(Table(legal, dict.fromkeys(answers, "python"), Electorate(trials))).dissent.keys() == {0}


def compared(says: Mapping[Piece, Sequence[bool]], cases: Sequence[Case], lax: str) -> Table:
    """Two answers to one large input, which the checkers of the vendors in `lax` hold to be as good as each other."""
    answers = {**agreed("a", "b"), piece("c", Role.SOLUTION): 2}
    views: dict[Piece | None, View] = {
        who: View(answers, None, frozenset({(1, 2)} if who.vendor in lax else ())) for who in CHECKERS
    }
    return Table([Input(9, views)], dict.fromkeys(answers, "python"), hearing=Hearing(cases, says, known=False))


def test_no_vendors_checker_makes_two_answers_equal_alone() -> None:
    says = {checker("a"): [True, False], checker("b"): [True, False]}
    cases = [Case(frozenset("ab")), Case()]
    assert consensus(compared(says, cases, lax="ab")).expected == {0: 1}
    assert consensus(compared(says, cases, lax="a")).dissent.keys() == {0}, "where they were not tried they differ"
    assert consensus(compared({checker("a"): [True, False]}, cases, lax="ab")).expected == {}
    third = {**says, checker("c"): [True, True]}
    assert consensus(compared(third, cases, lax="ab")).dissent.keys() == {0}, "two that are lax do not outvote a third"
    deaf = {**says, checker("c"): [False, False]}
    assert consensus(compared(deaf, cases, lax="ab")).expected == {0: 1}, "who accepts nothing does not hold it"


def test_two_interactors_alone_do_not_silence_a_third_vendors_solution() -> None:
    """They call its only solution wrong. That is a dissent, unless its own interactor or other solution says so too."""
    talkers = {vendor: piece(vendor, Role.INTERACTOR) for vendor in "abc"}
    answers: dict[Piece, int | Missing] = {
        piece("a", Role.SOLUTION): 0, piece("a", Role.SOLUTION, 1): 0, piece("b", Role.SOLUTION): 0,
        piece("c", Role.SOLUTION): Missing.WRONG,
    }  # fmt: skip
    other = {**answers, piece("c", Role.SOLUTION, 1): 0}

    def ruled(who: str, said: Mapping[Piece, int | Missing]) -> tuple[bool, bool]:
        hearing = Hearing([Case(frozenset("ab"))], {talkers[name]: [True] for name in who}, known=False)
        views: dict[Piece | None, View] = {talkers[name]: View(said) for name in who}
        ruling = consensus(Table([Input(9, views)], dict.fromkeys(said, "python"), hearing=hearing))
        return bool(ruling.expected), piece("c", Role.SOLUTION) in ruling.refuted

    assert ruled("ab", answers) == (False, False)
    assert ruled("abc", answers) == ruled("ab", other) == (True, True)


def test_two_that_lie_together_do_not_make_a_third_deaf() -> None:
    """They accept what their own programs say and refuse what c's do; c's checker says the opposite."""
    cases = [*[Case(frozenset("ab"))] * 20, Case(frozenset("c"))]
    lies, honest = [*[True] * 20, False], [*[False] * 20, True]
    hearing = Hearing(cases, {checker("a"): lies, checker("b"): lies, checker("c"): honest}, known=False)
    assert decided(hearing).deciding == (checker("a"), checker("b"), checker("c"))


def test_two_that_decide_differ_about_no_answer_that_is_written_like_right_ones() -> None:
    cases = [Case()] * 60 + [Case(exact=True)]
    one, other = [False] * 61, [*[False] * 60, True]
    says = {checker("a"): one, checker("b"): other}
    assert decided(Hearing(cases, says, known=False)).deciding == ()
    assert decided(Hearing([*cases[:60], Case()], says, known=False)).deciding == (checker("a"), checker("b"))


def test_without_a_vendor_what_it_alone_brought_is_gone() -> None:
    """Its inputs, and the cases by which two others differ."""
    answers = agreed("a", "b")
    brought = [Input(1, {None: View(answers)}, by=frozenset(by)) for by in ("", "c", "bc")]
    table = Table(brought, dict.fromkeys(answers, "python"))
    assert (set(table.rows()), set(table.rows("c")), set(table.rows("b"))) == ({0, 1, 2}, {0, 2}, {0, 1, 2})
    cases = [*[Case(frozenset("ab"))] * 30, Case(frozenset("c"), exact=True)]
    says = {checker("a"): [True] * 31, checker("b"): [*[True] * 30, False]}
    hearing = Hearing(cases, says, known=False)
    assert (decided(hearing).deciding, decided(hearing, "c").deciding) == ((), (checker("a"), checker("b")))
