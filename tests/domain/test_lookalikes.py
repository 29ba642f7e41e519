"""Names that a reader takes for one another."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.known_models import known_models
from app.domain.vendors.lookalikes import lookalike_key, prototypes_of
from app.services.vendors.names import look_of


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("GPT-4o", name) for name in (
            "gpt 4o", "GPT\u20114\u043e", "\uff27\uff30\uff34-4\uff4f", "G\u0420T-4\u03bf", "G.P.T. 40",
            "G\u0301PT 4\u00f6", "GP\u200bT-4o",
        )),
        ("Heron Recall", "\u0397eron Recall"),
        ("Heron Recall", "\u041deron Recall"),
        ("Heron Recall", "HERON RECALL"),
        ("Pipit Mini", "\u03a1\u0399\u03a1\u0399\u03a4 \u039c\u0399\u039d\u0399"),
        ("Pipit Mini", "\u0420\u0406\u0420\u0406\u0422 \u041c\u0406N\u0406"),
        ("Pipit Mini", "PIPIT MINI"),
        ("Pipit Mini", "Pipit rnini"),
        ("Pipit Mini", "P1p1t Min|"),
        ("Llama", "Ilama"),
        ("Llama", "1LAMA"),
        ("Qwen", "Qvven"),
        ("Kimi", "\u043aimi"),
        ("Orion", "\U0001d40e\U0001d42b\U0001d422\U0001d428\U0001d427"),
        ("o1", "01"),
        ("Swan", "\u0405wan"),
        ("Teal", "\ua4d4eal"),
        ("Teal", "\u13a2eal"),
    ],
    ids=ascii,
)  # fmt: skip
def test_names_that_look_alike_are_one(name: str, other: str) -> None:
    assert look_of(name) == look_of(other)


@pytest.mark.parametrize(
    "name",
    [
        "GPT-4",
        "GPT-4o mini",
        "GPT-4.1",
        "\u901a\u4e49\u5343\u95ee",
        "\u041c\u0438\u0448\u043a\u0430",
        "o1",
        "o3",
        "",
        "\u2606",
    ],
    ids=ascii,
)
def test_names_that_differ_stay_apart(name: str) -> None:
    assert look_of(name) != look_of("GPT-4o")
    assert look_of(name) != look_of("\u2605")


def test_no_known_model_looks_like_one_of_another_vendor() -> None:
    names = {name: model.organisation for model in known_models() for name in model.names}
    alike = [
        (one, other) for one, other in combinations(sorted(names), 2)
        if look_of(one) == look_of(other) and names[one] != names[other]
    ]  # fmt: skip
    assert len(names) > 100
    assert alike == []


@given(st.text(max_size=30))
def test_case_and_accents_of_latin_make_no_difference(text: str) -> None:
    latin = "".join(letter for letter in text if letter.isascii())
    assert look_of(latin) == look_of(latin.upper()) == look_of(latin.lower())


def test_the_member_with_most_partners_stands_for_its_group() -> None:
    pairs = [("m", "rn"), ("\uff4d", "rn"), ("\u0430", "a"), ("\u03b2\u03b2", "xy")]
    assert prototypes_of(pairs) == {"m": "rn", "\uff4d": "rn", "\u0430": "a", "a": "a"}
    assert lookalike_key("Mas", prototypes_of(pairs)) == "rnas"
