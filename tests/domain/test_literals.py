"""Values in answers: parsed as literals, never evaluated, with little work whatever is written."""

import pytest
from support.work import little_work

from app.domain.asking.literals import asserted_value, literal_as_json, tagged_answer


def test_a_literal_and_nothing_else() -> None:
    for text, value in [
        ("[1, 2]", "[1, 2]"),
        (" 'a\"b' ", '"a\\"b"'),
        ("True", "true"),
        ("None", "null"),
        ("-3", "-3"),
        ("{'a': [1.5]}", '{"a": [1.5]}'),
        ("[\n 1,\n 2,\n]", "[1, 2]"),
        ("(1, 2)", "((1, 2))"),
        ("{1, 2}", "({1, 2})"),
        ("{1: 2}", "({1: 2})"),
        ("1e999", "(1e999)"),
        ("b'a'", "(b'a')"),
        ("", None),
        ("x", None),
        ("true", None),
        ("1 + 1", None),
        ("f(1)", None),
        ("__import__('os').system('true')", None),
        ("[1, 2", None),
        ("[" * 10_000, None),
        ("-" * 10_000 + "1", None),
        ("9" * 10_000, "9" * 10_000),
        ("1, " * 10_000, None),
        ("'" + "a" * 30_000 + "'", None),
        ("'a\0b'", None),
    ]:
        assert literal_as_json(text) == value, (text, value)


def test_the_right_side_of_the_last_assertion() -> None:
    for text, side in [
        ("assert f(1) == [1, 2]", "[1, 2]"),
        ("words\n  assert f(x = '==') == '=='\n", "'=='"),
        ("assert f(1) == 1\nassert f(2) == 2", "2"),
        ("assert f(1) == [\n    1,\n]\nThat is it.", "[\n    1,\n]"),
        ("assert (f(1) == 7), 'words'", "7"),
        ("assert f(1) == 3  # because", "3"),
        ("assert f(1) == g(2)", "g(2)"),
        ("assert f(1) == 1\nassert that this is so", "1"),
        ("assert f(1) == [1, 2", None),
        ("assert f(1)", None),
        ("assertion f(1) == 1", None),
        ("f(1) == 1", None),
        ("", None),
    ]:
        assert asserted_value(text) == side, (text, side)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[ANSWER]\n1\n[/ANSWER]", ("1", True)),
        ("[ANSWER]1[/ANSWER] or [ANSWER]2[/ANSWER]", ("2", True)),
        ("[ANSWER]1[/ANSWER]\n[ANSWER]\n[/ANSWER]", ("1", True)),
        ("[ANSWER]\nassert f(1) == 1", ("assert f(1) == 1", False)),
        ("1[/ANSWER]", None),
        ("1", None),
    ],
)
def test_the_last_tags_that_are_not_empty(text: str, found: tuple[str, bool] | None) -> None:
    assert tagged_answer(text) == found


@pytest.mark.parametrize(
    "text", ["assert f(1) == [" + "1,\n" * 60_000, "assert f(" * 100_000, "assert\n" * 100_000, "[ANSWER]" * 100_000]
)
def test_hostile_answers_are_read_in_little_work(text: str) -> None:
    with little_work():
        assert asserted_value(text) is None
        tagged_answer(text)
