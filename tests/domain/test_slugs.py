"""Names of models as slugs: plain ones as ever, different ones apart, old ones kept."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.slugs import assign_slugs, model_slug, model_slugs, slugify


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("GPT-4O-2024-08-06", "gpt-4o-2024-08-06"),
        ("O3-Mini-2025-01-31 (High)", "o3-mini-2025-01-31-high"),
        ("Claude-3.5-Sonnet (06/20)", "claude-3-5-sonnet-06-20"),
        ("Command-R", "command-r"),
        ("Command-R+", "command-r-plus"),
        ("C+", "c-plus"),
        ("C#", "c-sharp"),
        ("Café\N{NO-BREAK SPACE}1\N{EN DASH}b", "cafe-1-b"),
    ],
)
def test_a_slug_says_what_the_name_says(name: str, slug: str) -> None:
    assert model_slug(name) == slug


def test_what_a_slug_cannot_say_is_a_digest() -> None:
    names = ("GPT-4", "GPT-4*", "GPT-4!", "通义-4", "文心-4", "通义", "文心", "\ud800")
    slugs = [model_slug(name) for name in names]
    assert len({*slugs}) == len(names)
    assert all(slugify(slug) == slug for slug in slugs)
    assert model_slug("通义") == slugify("通义"), "names without a letter of ours have the slug they always had"


@given(st.sets(st.one_of(st.text(max_size=6), st.text("aA+-* é", max_size=4)), max_size=8))
def test_in_one_file_no_two_models_have_one_slug(names: set[str]) -> None:
    slugs = model_slugs(names)
    assert set(slugs) == names
    assert len({*slugs.values()}) == len(names)
    assert slugs == model_slugs(sorted(names, reverse=True)), "the order of rows decides nothing"


def test_an_old_slug_stays_with_its_name_and_is_nobody_elses() -> None:
    names = {slug: name for name, slug in model_slugs(("Command-R", "Command-R+")).items()}
    assert assign_slugs(names, {}) == {slug: slug for slug in names}
    assert assign_slugs(names, {"command-r": "Command-R"}) == {slug: slug for slug in names}
    here = assign_slugs(names, {"command-r": "Command-R+"})
    assert here["command-r-plus"] == "command-r"
    assert here["command-r"] not in ("command-r", "command-r-plus")
    known = {"command-r": "Command-R+", here["command-r"]: "Command-R"}
    assert assign_slugs(names, known) == here, "the next import finds both"
    assert assign_slugs({"command-r": "Command-R"}, {"command-r": "Command-R+"}) == {"command-r": here["command-r"]}


def test_a_slug_that_was_given_or_differs_by_case_is_joined() -> None:
    assert assign_slugs({"gpt-4o": "GPT-4O"}, {"gpt-4o": "OpenAI's"}) == {"gpt-4o": "gpt-4o"}
    assert assign_slugs({"gpt-4o": "GPT-4O"}, {"gpt-4o": "gpt-4o"}) == {"gpt-4o": "gpt-4o"}


def test_names_that_differ_by_case_alone_are_told_by_the_name_that_is_here() -> None:
    for names in permutations(("GPT-4O", "gpt-4o")):
        asked = {slug: name for name, slug in model_slugs(names).items()}
        for here in names:
            found = assign_slugs(asked, {"gpt-4o": here})
            assert {asked[slug]: own for slug, own in found.items()}[here] == "gpt-4o"
            assert len({*found.values()}) == 2
