"""Names are nouns and verbs, each class has its own, and docstrings open with what they tell of."""

import pytest
from support.names import definitions, is_bare_word, names_of_several_classes, opens_badly


@pytest.mark.parametrize(
    ("name", "bare"),
    [("told", True), ("Answered", True), ("_kept", True), ("apart", True), ("seed", False), ("answered_rows", False),
     ("AnsweredRows", False), ("planning", False), ("NotFound", False)],
)  # fmt: skip
def test_words_that_name_nothing_are_told_from_names(name: str, bare: bool) -> None:
    assert is_bare_word(name) == bare


@pytest.mark.parametrize(
    ("docstring", "bad"),
    [("What a run costs.", True), ("The same for a board.", True), ("Return the cost of a run.", False),
     ("Cost of a run in US dollars.", False), ("Offer a model.", False)],
)  # fmt: skip
def test_openings_of_docstrings_that_hide_their_subject_are_told(docstring: str, bad: bool) -> None:
    assert opens_badly(docstring) == bad


def test_each_class_has_a_name_of_its_own() -> None:
    borne = "\n".join(f"{name}: {', '.join(places)}" for name, places in sorted(names_of_several_classes().items()))
    assert not borne, f"Name each class by what it alone holds (ProblemLine, SiteLine in place of two Line):\n{borne}"


def test_no_name_is_a_participle_or_an_adverb_alone() -> None:
    bare = [
        f"{each.place} {each.name}"
        for each in definitions()
        if is_bare_word(each.name) and (each.kind in ("module", "class") or not each.name.startswith("_"))
        and each.kind not in ("value", "local")
    ]  # fmt: skip
    assert not bare, "Name modules and classes by nouns, functions by verb and object (check_reason):\n" + "\n".join(
        bare
    )


def test_docstrings_open_with_a_verb_or_with_their_subject() -> None:
    bad = [
        f"{each.place} {each.docstring[:60]}"
        for each in definitions()
        if each.docstring and opens_badly(each.docstring)
    ]
    assert not bad, 'Write "Return the ...", "Record ..." or the noun that it is:\n' + "\n".join(bad)
