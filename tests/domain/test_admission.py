"""What holds a problem back, reason by reason: which comes first, and which of them a person may waive."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest

from app.domain.problems import CheckerKind
from app.domain.publishing.holds import (
    CONTEST_MARGIN,
    MAX_PROOF_ATTEMPTS,
    Hold,
    Publication,
    PublicationFacts,
    WaitDecision,
    admit,
)

NOW = datetime(2026, 11, 1, 9, tzinfo=UTC)
ENDED = NOW - CONTEST_MARGIN
GOOD = PublicationFacts(
    released_on=NOW - timedelta(days=1),
    contest_ends_at=ENDED,
    has_statement=True,
    public_samples=2,
    flags=(),
    proof="proven",
    proof_reason=None,
    checker=CheckerKind.TOKENS,
)


def decided(**facts: Any) -> Publication | WaitDecision | Hold:
    return admit(replace(GOOD, **facts), NOW)


# Each reason alone, hardest first: what brings it about, and what is decided.
REASONS: list[tuple[dict[str, Any], WaitDecision | Hold]] = [
    ({"released_on": None}, Hold("no release date")),
    ({"has_statement": False}, Hold("no statement")),
    ({"contest_ends_at": ENDED + timedelta(microseconds=1)}, WaitDecision("its contest has not ended")),
    (
        {"flags": ("needs:sound", "image", "needs:a graph")},
        Hold("needs a graph, sound, which is not here"),
    ),
    (
        {"flags": ("unfit:its input holds no literals", "image")},
        Hold("cannot be judged: its input holds no literals"),
    ),
    ({"flags": ("interactive",)}, Hold("interactive, and no interactor", "interactive")),
    ({"proof": None, "checker": None}, Hold("no full tests: 2 public samples only")),
    ({"has_entry": False}, Hold("what programs must define is not known")),
    ({"talks": True}, Hold("interactive, and no interactor")),
    (
        {"flags": ("multiple_answers",)},
        Hold("several answers are right, and no checker knows them", "multiple_answers"),
    ),
    (
        {"flags": ("inner_order",)},
        Hold("it is not said whether the order within inner lists matters", "inner_order"),
    ),
    ({"needs_image": True}, Hold("its statement has an image, which may be needed", "image")),
    ({"unknown_limits": ("memory", "time")}, Hold("its time and memory limits are not known", "limits")),
    ({"audit": "better models fail it"}, Hold("better models fail it", "audit")),
    ({"proof": "waiting"}, WaitDecision("its tests are being proven")),
    ({"proof": "refuted", "proof_reason": "ref_1 gets WA"}, Hold("tests refuted: ref_1 gets WA")),
]  # fmt: skip


def test_a_problem_without_a_fault_is_published() -> None:
    assert decided() == Publication()


def test_each_reason_holds_it_back() -> None:
    for facts, expected in REASONS:
        assert decided(**facts) == expected, (facts, expected)


def test_of_two_reasons_the_harder_is_named() -> None:
    for harder, softer in list(combinations(range(len(REASONS)), 2)):
        first, second = REASONS[harder][0], REASONS[softer][0]
        flags = (*second.get("flags", ()), *first.get("flags", ()))
        decision = decided(**{**second, **first, "flags": flags})
        expected = REASONS[harder][1]
        if "talks" in second and "interactive" in flags:  # a package that knows: nobody may waive it
            expected = Hold("interactive, and no interactor")
        assert decision == expected, (harder, softer)


@pytest.mark.parametrize("proof", ["proven", "shipped", "unproven"])
def test_tests_that_nothing_speaks_against_admit_it(proof: str) -> None:
    assert decided(proof=proof) == Publication()


def test_it_waits_until_the_margin_after_its_contest_has_passed() -> None:
    ends = NOW - timedelta(hours=1)
    dossier = replace(GOOD, contest_ends_at=ends)
    assert isinstance(admit(dossier, ends + CONTEST_MARGIN - timedelta(microseconds=1)), WaitDecision)
    assert admit(dossier, ends + CONTEST_MARGIN) == Publication()
    assert decided(contest_ends_at=None) == Publication(), "a problem of no contest waits for none"


@pytest.mark.parametrize(
    ("facts", "waiver"),
    [
        ({"flags": ("interactive",)}, "interactive"),
        ({"flags": ("multiple_answers",)}, "multiple_answers"),
        ({"needs_image": True}, "image"),
        ({"audit": "disputed"}, "audit"),
    ],
)
def test_a_waiver_lifts_its_own_hold_and_no_other(facts: dict[str, Any], waiver: str) -> None:
    waivers = {"interactive", "multiple_answers", "image", "audit"}
    assert decided(**facts, waived=(waiver,)) == Publication()
    held = decided(**facts, waived=tuple(waivers - {waiver}))
    assert isinstance(held, Hold)
    assert held.waiver == waiver


def test_what_a_person_waived_leaves_the_other_things_only_a_person_can_tell() -> None:
    facts: dict[str, Any] = {"flags": ("multiple_answers",), "needs_image": True, "audit": "disputed"}
    waived: list[str] = []
    for waiver in ("multiple_answers", "image", "audit"):
        held = decided(**facts, waived=tuple(waived))
        assert isinstance(held, Hold)
        assert held.waiver == waiver
        waived.append(waiver)
    assert decided(**facts, waived=tuple(waived)) == Publication()
    assert decided(**facts, waived=tuple(waived), proof="refuted") == Hold(
        "tests refuted: a reference program fails them"
    )


@pytest.mark.parametrize("checker", list(CheckerKind))
def test_several_right_answers_need_a_checker_that_knows_them(checker: CheckerKind) -> None:
    knows = checker in (CheckerKind.TESTLIB, CheckerKind.KATTIS, CheckerKind.UNORDERED)
    assert (decided(flags=("multiple_answers",), checker=checker) == Publication()) is knows


def test_setters_checkers_know_several_right_texts_and_no_values() -> None:
    untested: dict[str, Any] = {"proof": None, "checker": None, "being_set": True, "flags": ("multiple_answers",)}
    assert decided(**untested) == WaitDecision("setters make its tests", checked=True)
    held = Hold("several answers are right, and no checker knows them", "multiple_answers")
    assert decided(**untested, returns=True) == held
    assert decided(**untested, returns=True, waived=("multiple_answers",)) == WaitDecision(
        "setters make its tests", checked=True
    )


def test_an_interactor_is_enough_for_whoever_talks() -> None:
    assert decided(flags=("interactive",), talks=True, has_interactor=True) == Publication()
    assert decided(flags=("interactive",), talks=True) == Hold("interactive, and no interactor")
    assert decided(flags=("interactive",), talks=True, waived=("interactive",)) == Hold(
        "interactive, and no interactor"
    ), "nobody may waive what a package knows"


def test_a_proof_that_ended_its_worker_each_time_is_our_fault() -> None:
    waiting = {"proof": "waiting", "proof_attempts": MAX_PROOF_ATTEMPTS - 1}
    assert decided(**waiting) == WaitDecision("its tests are being proven")
    waiting["proof_attempts"] = MAX_PROOF_ATTEMPTS
    assert decided(**waiting) == Hold(
        "its tests could not be proven, by our fault: proving them ended its worker each time"
    )
    assert decided(**waiting, proof_reason="no judge") == Hold("its tests could not be proven, by our fault: no judge")
