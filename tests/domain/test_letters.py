"""What a name looks like, and letters that hide others."""

import pytest

from app.domain.characters import has_stacked_marks, lookalike_key


@pytest.mark.parametrize(
    "name",
    [
        "GPT-4o",
        "gpt 4o",
        "GPT\u20114\u043e",
        "\uff27\uff30\uff34-4\uff4f",
        "G\u0420T-4\u03bf",
        "G.P.T. 40",
        "G\u0301PT 4\u00f6",
    ],
    ids=ascii,
)
def test_names_that_look_alike_are_one(name: str) -> None:
    assert lookalike_key(name) == lookalike_key("GPT-4o")


@pytest.mark.parametrize(
    "name", ["GPT-4", "GPT-4o mini", "\u901a\u4e49\u5343\u95ee", "\u041c\u0438\u0448\u043a\u0430", ""], ids=ascii
)
def test_names_that_differ_stay_apart(name: str) -> None:
    assert lookalike_key(name) != lookalike_key("GPT-4o")


@pytest.mark.parametrize(
    "text",
    [
        "Nguy\u1ec5n \u1ec7",
        "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u0e49",
        "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd",
        "a\u0301",
    ],
    ids=ascii,
)
def test_letters_of_languages_carry_few_marks(text: str) -> None:
    assert not has_stacked_marks(text)


@pytest.mark.parametrize("text", ["a" + "\u0333" * 4, "Orion" + "\u0489" * 9, "\u1ec7\u0323\u0302"], ids=ascii)
def test_stacked_marks_are_seen(text: str) -> None:
    assert has_stacked_marks(text)
