"""Letters that hide others."""

import pytest

from app.domain.characters import has_stacked_marks


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
