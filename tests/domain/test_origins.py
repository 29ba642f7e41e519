"""Which text of a problem counts is a function of where and when each was seen, and of nothing else."""

from datetime import UTC, datetime, timedelta
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from app.domain.publishing.origins import Origin, Sighting, current_text, precedence
from app.domain.sources.flags import FlagReport, add_report, current_flags

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def seen(origin: Origin, hours: int, capture: int | None = None) -> Sighting:
    return Sighting(origin, NOON + timedelta(hours=hours), capture)


SIGHTINGS = st.builds(seen, st.sampled_from(Origin), st.integers(0, 3), st.one_of(st.none(), st.integers(1, 3)))


def test_a_package_outranks_a_page_and_a_page_a_fixed_set() -> None:
    assert sorted(Origin, key=lambda origin: origin.rank) == [Origin.SUITE, Origin.PAGE, Origin.PACKAGE]
    texts = {"package": seen(Origin.PACKAGE, 0), "page": seen(Origin.PAGE, 1), "suite": seen(Origin.SUITE, 2)}
    assert current_text(texts) == "package"
    assert current_text({name: texts[name] for name in ("suite", "page")}) == "page"
    assert current_text({}) is None


def test_of_one_origin_the_later_counts_and_of_one_moment_the_later_capture() -> None:
    assert current_text({"a": seen(Origin.PAGE, 2), "b": seen(Origin.PAGE, 1)}) == "a"
    assert current_text({"a": seen(Origin.PAGE, 1, 7), "b": seen(Origin.PAGE, 1, 8)}) == "b"


@given(st.lists(SIGHTINGS, min_size=1, max_size=5, unique_by=precedence))
def test_the_order_in_which_texts_came_does_not_matter(sightings: list[Sighting]) -> None:
    found = {
        current_text({number: sightings[number] for number in order}) for order in permutations(range(len(sightings)))
    }
    [best] = found
    assert all(precedence(sightings[best or 0]) >= precedence(other) for other in sightings)


def test_flags_go_with_the_text_that_counts() -> None:
    page = FlagReport("task", NOON + timedelta(hours=2), whole=True, flags=("interactive",))
    words = {
        origin: FlagReport.from_import(origin, NOON + timedelta(hours=hours), True, (origin.value,))
        for origin, hours in ((Origin.PACKAGE, 1), (Origin.SUITE, 3))
    }

    def flags(*told: FlagReport) -> list[str]:
        known: list[FlagReport] = []
        for word in told:
            known = add_report(known, word)
        return current_flags(known)

    for order in permutations((page, *words.values())):
        assert flags(*order) == ["package"]
    assert flags(words[Origin.SUITE], page) == ["interactive"]
