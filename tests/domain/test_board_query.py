"""A board's address: what it may carry, how often and how long, and what is said of the rest."""

import re

import pytest

from app.domain.boards.board import BoardQuery
from app.domain.errors import InvalidInput
from app.services.boards.board_views import matches_etag
from app.services.boards.query import (
    MAX_VALUE_CHARS,
    MAX_VALUES,
    parse_query,
    parse_reference,
    take_parameter,
    to_params,
)


def models(count: int) -> list[tuple[str, str]]:
    return [("model", f"m{number}") for number in range(count)]


def test_so_many_values_are_taken_and_no_more() -> None:
    assert len(parse_query(models(MAX_VALUES)).models) == MAX_VALUES == 64
    with pytest.raises(InvalidInput, match="at most 64 times"):
        parse_query(models(MAX_VALUES + 1))
    with pytest.raises(InvalidInput, match="may be given once") as twice:
        parse_query([("from", "2026-01-01"), ("from", "2026-01-01")])
    assert twice.value.pointer == "/from"


def test_so_long_a_value_is_taken_and_no_longer_one() -> None:
    assert MAX_VALUE_CHARS == 200
    assert parse_query([("model", "m" * 200)]).models == ("m" * 200,)
    for value in ("m" * 201, "a\nb", "\0"):
        with pytest.raises(InvalidInput, match="too long or has characters"):
            parse_query([("model", value)])
        with pytest.raises(InvalidInput, match="too long or has characters"):
            take_parameter([("sort", value)], "sort")


def test_what_is_empty_is_not_given() -> None:
    assert parse_query([("model", ""), ("from", ""), ("protocol", "")]) == BoardQuery(protocol="house")
    assert parse_reference([("ref", "")]) is None
    assert parse_reference([("ref", "orion:high"), ("model", "lyra")]) == "orion:high"


def test_an_unknown_name_is_told_without_what_it_might_do_to_a_terminal() -> None:
    with pytest.raises(InvalidInput, match=re.escape("unknown field 'b[2J" + "x" * 36 + "'; known:")) as unknown:
        parse_query([("b\x1b[2J" + "x" * 99, "1")])
    assert unknown.value.pointer == "/b[2J" + "x" * 36
    assert parse_query([("utm_source", "a"), ("model", "m")], strict=False).models == ("m",)


def test_the_own_protocol_of_a_board_is_not_written() -> None:
    assert to_params(BoardQuery()) == []
    assert to_params(BoardQuery(protocol="fresh"), "orion") == [("protocol", "fresh"), ("ref", "orion")]


def test_what_stands_beside_a_boards_own_names_is_taken_once() -> None:
    pairs = [("sort", "score"), ("model", "m"), ("sort", "")]
    assert take_parameter(pairs, "sort", ("score", "cost")) == ("score", [("model", "m")])
    assert take_parameter([("model", "m")], "sort") == (None, [("model", "m")])
    for given in ([("sort", "score")] * 2, [("sort", "other")]):
        with pytest.raises(InvalidInput, match="sort must be given once, as one of score, cost"):
            take_parameter(given, "sort", ("score", "cost"))
    assert take_parameter([("sort", "other")], "sort") == ("other", [])


@pytest.mark.parametrize(
    ("header", "known"),
    [('W/"a"', True), ('"a"', True), ('"b", W/"a"', True), ("*", True), ('"b"', False), ("", False), (None, False)],
)
def test_a_tag_is_known_weak_or_strong_or_among_others(header: str | None, known: bool) -> None:
    assert matches_etag('W/"a"', header) is known
