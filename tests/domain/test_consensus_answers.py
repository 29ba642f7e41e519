"""What setters answer is read as it is meant, and what is none is told; validators vote."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.consensus.answers import AnswerId, SetterRole, language_of, last_block, parse_probes, read_answers
from app.domain.consensus.legality import ValidatorTrial, best_validator, choose_voters, count_votes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("so:\n```python\nprint(1)\n```\ndone", ("python", "print(1)\n")),
        ("```Python\r\nprint(1)\r\n```", ("python", "print(1)\n")),
        ("```\na\n```\n```cpp\nb\n```", ("cpp", "b\n")),
        ("```json\n{}\n```\n```\n\n```", ("json", "{}\n")),
        ("~~~\na\n~~~", ("", "a\n")),
        ("````\n```\na\n```\n````", ("", "```\na\n```\n")),
        ("```\na\n```\nIs it? <thinking>\n```\nb\n```", ("", "a\n")),
        ("```\nb\n```\nSo:</think>\n```\nprint('<think>')\n```", ("", "print('<think>')\n")),
    ],
)
def test_the_last_block_is_the_answer(text: str, expected: tuple[str, str]) -> None:
    assert last_block(text) == (*expected, True)


@pytest.mark.parametrize(
    "text",
    [
        "1. So:\n\n   ```python\n   if 1:\n       print(1)\n   ```\n", "> ```py\n> if 1:\n>     print(1)\n> ```\n",
        "Here: ```python\nif 1:\n    print(1)\n```\n", "\ufeff```Python 3\rif 1:\r    print(1)\r```\r",
        '```{.python}\nif 1:\n    print(1)\n```\nIt prints:\n```\n1\n```\n',
        "```\nif 1:\n    print(1)\n```\nIt prints:\n```text\n1\n```\nand is asked for by\n```sh\npython a.py\n```",
    ],
)  # fmt: skip
def test_a_program_is_read_however_models_write_it(text: str) -> None:
    """In a list, a quote, behind prose; and what it prints is not the program."""
    found = last_block(text, SetterRole.BRUTE)
    assert found is not None
    assert found.code == "if 1:\n    print(1)\n"


def test_an_input_may_hold_whole_blocks() -> None:
    found = last_block("~~~~text\n```python\nx\n```\n~~~~\n", SetterRole.HACK)
    assert found is not None
    assert found.code == "```python\nx\n```\n"


def test_what_is_named_as_a_roles_answers_comes_first() -> None:
    text = "```cpp\nint a;\n```\n```json\n{}\n```\n```\n1 2\n```\n"
    found = [
        last_block(text, role)
        for role in (SetterRole.SOLUTION, SetterRole.PROBES, SetterRole.HACK, SetterRole.VALIDATOR)
    ]
    assert [one and one.tag for one in found] == ["cpp", "json", "", ""]


@pytest.mark.parametrize("text", ["", "print(1)", "```python\nprint(1)", "``` ```", "```\n```"])
def test_without_a_block_there_is_no_answer(text: str) -> None:
    assert last_block(text) is None


@pytest.mark.parametrize(
    ("role", "ordinal", "tag", "language"),
    [
        (SetterRole.SOLUTION, 0, "", "python"),
        (SetterRole.SOLUTION, 1, "", "cpp"),
        (SetterRole.SOLUTION, 1, "python", "python"),
        (SetterRole.SOLUTION, 2, "c++", "cpp"),
        (SetterRole.SOLUTION, 0, "c++17", "cpp"),
        (SetterRole.SOLUTION, 1, "py3", "python"),
        (SetterRole.BRUTE, 1, "cpp", "python"),
    ],
)
def test_languages(role: SetterRole, ordinal: int, tag: str, language: str) -> None:
    assert language_of(role, ordinal, tag) == language


def test_probes() -> None:
    body = json.dumps({"legal": ["1\n", "1\n", [[2], 3]], "illegal": [{"input": "0\n", "why": "n"}, "x", 7, {}]})
    made = parse_probes(body)
    assert made is not None
    assert (made.legal, made.illegal) == (("1\n", "[[2], 3]"), ("0\n", "x", "7"))
    for wrong in ("[]", "{", '{"legal": 1}', "[" * 100_000):
        assert parse_probes(wrong) is None


def test_rows() -> None:
    good = {"problem": "Tides", "setter": "s", "vendor": " Acme  Inc ", "role": "brute", "ordinal": 0, "text": "x"}
    changes: list[dict[str, object]] = [
        {}, {"text": "later"}, {"problem": "Other", "role": 5}, {"role": "king"}, {"ordinal": -1}, {"ordinal": True},
        {"text": None}, {"vendor": " "}, {"setter": 3},
    ]  # fmt: skip
    lines = [json.dumps({**good, **change}) for change in changes]
    answers, bad = read_answers("\n".join([*lines, "", "{", "[1]"]), "Tides")
    assert [(answer.answer_id, answer.text) for answer in answers] == [
        (AnswerId("acme inc", "s", SetterRole.BRUTE), "x")
    ]
    assert [row.line for row in bad] == [4, 5, 6, 7, 8, 9, 11, 12]


def test_rows_end_at_line_feeds_alone_and_titles_are_those_of_prompts() -> None:
    text = "# A\u2028line\x85of Unicode\u2029's own"
    row = {"problem": "High\u00a0 tides ", "setter": "s", "vendor": "a", "role": "brute", "text": text}
    answers, bad = read_answers("\ufeff" + json.dumps(row, ensure_ascii=False) + "\r\n", " High tides")
    assert (bad, [answer.text for answer in answers]) == ([], [text])


def validator(vendor: str, ordinal: int = 0) -> AnswerId:
    return AnswerId(vendor, vendor, SetterRole.VALIDATOR, ordinal)


PROBED = [("a", True, True), ("a", False, False), ("b", True, True), ("b", False, False)]


def test_the_validator_that_knows_most_probes_votes_for_its_vendor_and_the_best_is_chosen() -> None:
    good = ValidatorTrial(validator("a", 1), [True], PROBED)
    fair = ValidatorTrial(validator("a", 0), [True], [*PROBED[:3], ("b", False, True)])
    other = ValidatorTrial(validator("b"), [True], [*PROBED[:3], ("b", False, True)])
    strict = ValidatorTrial(validator("c"), [False], PROBED)
    blind = ValidatorTrial(validator("d"), [True], [(vendor, legal, True) for vendor, legal, _ in PROBED])
    trials = [fair, good, other, strict, blind]
    assert choose_voters(trials) == {"a": validator("a", 1), "b": validator("b")}
    assert best_validator(trials) == validator("a", 1)
    assert best_validator([strict, blind]) is None
    assert choose_voters([ValidatorTrial(validator("a"), [None], PROBED)]) == {}


def test_a_vendor_with_many_probes_does_not_decide_who_is_good() -> None:
    flood = [("a", True, False)] * 60
    assert ValidatorTrial(validator("b"), [True], [*PROBED, *flood]).score() > 0.5


@pytest.mark.parametrize(
    ("votes", "legal"),
    [
        ({}, False), ({"a": True}, False), ({"a": True, "b": True}, True), ({"a": True, "b": False}, False),
        ({"a": True, "b": True, "c": False}, True), ({"a": True, "b": None, "c": True}, True),
        ({"a": True, "b": True, "c": False, "d": False}, False), ({"a": None, "b": None}, False),
    ],
)  # fmt: skip
def test_votes(votes: dict[str, bool | None], legal: bool) -> None:
    assert (count_votes(votes) is True) is legal


def legal(votes: Mapping[str, bool | None]) -> bool:
    return count_votes(votes) is True


VOTE = st.sampled_from((True, False, None))
VOTES = st.dictionaries(st.sampled_from("abcdef"), VOTE)


@given(VOTES, st.sampled_from("abcdef"))
def test_no_vendor_alone_decides_that_an_input_is_legal(votes: dict[str, bool | None], one: str) -> None:
    """Whatever one vendor says, others must let it in: without them nothing is legal, and each voice counts once."""
    others = {vendor: vote for vendor, vote in votes.items() if vendor != one}
    if True not in others.values():
        assert not any(legal({**others, one: vote}) for vote in (True, False, None))
    if legal({**others, one: True}):
        let_in = sum(vote is True for vote in others.values())
        assert let_in >= max(1, sum(vote is False for vote in others.values())), "at least as many of the others agree"


@given(VOTES, st.sampled_from("abcdef"))
def test_no_vendor_alone_refuses_what_a_clear_vote_lets_in(votes: dict[str, bool | None], one: str) -> None:
    others = {vendor: vote for vendor, vote in votes.items() if vendor != one}
    let_in, refused = (sum(vote is said for vote in others.values()) for said in (True, False))
    if let_in >= 2 and let_in > refused + 1:
        assert all(legal({**others, one: vote}) for vote in (True, False, None))


@given(VOTES, st.sampled_from("abcdef"))
def test_a_vendor_that_lets_more_in_makes_nothing_illegal(votes: dict[str, bool | None], one: str) -> None:
    said = [legal({**votes, one: vote}) for vote in (False, None, True)]
    assert said == sorted(said)


TRIALS = st.builds(
    ValidatorTrial,
    st.builds(
        AnswerId, st.sampled_from("abc"), st.sampled_from(["x", "y"]), st.just(SetterRole.VALIDATOR), st.integers(0, 1)
    ),
    st.lists(VOTE, max_size=3),
    st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), VOTE), max_size=6),
)


@given(st.lists(TRIALS))
def test_however_many_validators_a_vendor_writes_it_votes_once(trials: list[ValidatorTrial]) -> None:
    """Nor does what it writes take the vote from another vendor, or change whose validator votes for that."""
    voting = choose_voters(trials)
    assert all(answer_id.vendor == vendor for vendor, answer_id in voting.items())
    for vendor in "abc":
        own = [trial for trial in trials if trial.answer_id.vendor == vendor]
        rest = [trial for trial in trials if trial.answer_id.vendor != vendor]
        assert choose_voters(rest) == {name: answer_id for name, answer_id in voting.items() if name != vendor}
        assert not legal(dict.fromkeys(choose_voters(own), True))
